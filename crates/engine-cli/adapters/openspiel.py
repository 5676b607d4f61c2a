#!/usr/bin/env python3
"""OpenSpiel's Monte Carlo tree search behind the text protocol of `tochki engine`.

    pip install open-spiel
    openspiel.py --simulations 20000 --seed 1

It plays Dots and Boxes, Gomoku (free-style) and Reversi. `go nodes N` sets the number of simulations, `go` takes that of
the option; OpenSpiel's search knows no time, so `go time` is refused.
"""

import argparse
import json
import random
import sys

import pyspiel


class Refused(Exception):
    """An answer `error CODE`."""


class Boxes:
    """Actions are the lines across, row by row, then the lines down."""

    # What `play` answers to a move on the board that is not legal.
    taken = "already_drawn"

    def __init__(self, setup):
        self.cols, self.rows = setup.get("cols", 3), setup.get("rows", 3)
        self.name = f"dots_and_boxes(num_rows={self.rows},num_cols={self.cols})"
        self.across = self.cols * (self.rows + 1)

    def action(self, text):
        way, point = text.split(":")
        x, y = (int(number) for number in point.split(","))
        if way == "h":
            return y * self.cols + x if 0 <= x < self.cols and 0 <= y <= self.rows else None
        if way == "v":
            inside = 0 <= x <= self.cols and 0 <= y < self.rows
            return self.across + y * (self.cols + 1) + x if inside else None
        raise ValueError(way)

    def text(self, action):
        if action < self.across:
            return f"h:{action % self.cols},{action // self.cols}"
        y, x = divmod(action - self.across, self.cols + 1)
        return f"v:{x},{y}"


class Points:
    """Actions are the points, row by row."""

    def __init__(self, name, size, taken):
        self.name, self.size, self.taken = name, size, taken

    def action(self, text):
        x, y = (int(number) for number in text.split(","))
        inside = 0 <= x < self.size and 0 <= y < self.size
        return y * self.size + x if inside else None

    def text(self, action):
        y, x = divmod(action, self.size)
        return f"{x},{y}"


def board(kind, setup):
    if kind == "boxes":
        return Boxes(setup)
    if kind == "reversi":
        return Points("othello", 8, "flips_nothing")
    if kind == "gomoku":
        size = setup.get("size", 19)
        if setup.get("rule", "freestyle") != "freestyle":
            raise Refused("invalid_setup")
        return Points(f"gomoku(size={size})", size, "occupied")
    raise Refused("unknown_game")


def setup_fields(kind, setup):
    """The setup as JSON, or in words: `5x5`, `15 freestyle`, `8x8`."""
    if not setup or setup.startswith("{"):
        return json.loads(setup or "{}")
    words = setup.split()
    if kind == "gomoku":
        return {"size": int(words[0]), "rule": words[1] if len(words) > 1 else "freestyle"}
    cols, rows = (int(side) for side in words[0].split("x"))
    return {"cols": cols, "rows": rows} if kind == "boxes" else {}


class Session:
    """One line in, one line out."""

    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.set_up("boxes", {})

    def set_up(self, kind, setup):
        self.board = board(kind, setup)
        self.game = pyspiel.load_game(self.board.name)
        self.moves = []
        self.state = self.game.new_initial_state()

    def apply(self, action):
        self.state.apply_action(action)
        # A side that can do nothing but pass is passed over.
        while not self.state.is_terminal() and self.has_to_pass():
            self.state.apply_action(64)

    def has_to_pass(self):
        return self.board.name == "othello" and self.state.legal_actions() == [64]

    def play(self, text):
        if self.state.is_terminal():
            raise Refused("finished")
        try:
            action = self.board.action(text)
        except ValueError as error:
            raise Refused("malformed_move") from error
        if action is None:
            raise Refused("off_board")
        if action not in self.state.legal_actions():
            raise Refused(self.board.taken)
        self.moves.append(action)
        self.apply(action)

    def undo(self):
        if not self.moves:
            raise Refused("nothing_to_undo")
        moves = self.moves[:-1]
        self.moves, self.state = [], self.game.new_initial_state()
        for action in moves:
            self.moves.append(action)
            self.apply(action)

    def go(self, words):
        simulations = self.options.simulations
        if len(words) == 2 and words[0] == "nodes":
            simulations = int(words[1])
        elif words:
            raise Refused("malformed_command")
        if self.state.is_terminal():
            raise Refused("finished")
        seed = self.random.randrange(1 << 31)
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        # The exploration constant of OpenSpiel's examples; `solve` backs up proven results.
        bot = pyspiel.MCTSBot(self.game, rollouts, 2.0, simulations, 1000, True, seed, False)
        action = bot.step(self.state)
        text = self.board.text(action)
        self.moves.append(action)
        self.apply(action)
        return f"move {text}"

    def answer(self, line):
        verb, _, rest = line.partition(" ")
        rest = rest.strip()
        if verb == "game":
            kind, _, setup = rest.partition(" ")
            try:
                fields = setup_fields(kind, setup.strip())
                self.set_up(kind, fields)
            except (ValueError, AttributeError, pyspiel.SpielError) as error:
                raise Refused("invalid_setup") from error
        elif verb == "play":
            self.play(rest)
        elif verb == "undo":
            self.undo()
        elif verb == "go":
            try:
                return self.go(rest.split())
            except ValueError as error:
                raise Refused("malformed_command") from error
        else:
            raise Refused("unknown_command")
        return "ok"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    session = Session(parser.parse_args())
    for line in sys.stdin:
        line = line.strip()
        if line == "quit":
            break
        # It does not think while it reads, so there is nothing to stop.
        if not line or line == "stop":
            continue
        try:
            answer = session.answer(line)
        except Refused as refused:
            answer = f"error {refused}"
        print(answer, flush=True)


if __name__ == "__main__":
    main()
