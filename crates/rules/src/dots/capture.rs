//! Captures by a new dot, found from the dot outwards: the three steps of the rule, each touching only its own area.
//!
//! The words are those of the rule. The live dots of a seat are its **walls**; a **face** is a set of other points, joined
//! in the four straight directions, that does not reach the edge; a face with a live enemy dot is captured together with
//! everything inside its outer **line**; a face without one is a **house**.
//!
//! Three facts keep this local. After every move no face holds a live enemy dot, so
//!
//! - only a face that the new dot closes can be captured by the mover, and that dot is on its line;
//! - the other seat can only capture a dot placed in a house of theirs, and free points remember the house they lie in;
//! - a dot placed in an enemy house that captures something breaks the house, because its line leads out of it. So a
//!   move makes captures for one seat only.

use super::{
    Dots,
    board::{Cell, Direction, PointIndex, Search, UndoEntry},
    enclosure::Enclosed,
    gaps::{Gap, closed_gaps},
};
use crate::Seat;

impl Dots {
    /// Makes the captures that follow from the dot just placed: the mover's, or else the other side's.
    ///
    /// `before` is the content of the point before the dot: whether it lay in a house.
    pub(super) fn capture(&mut self, mover: Seat, at: PointIndex, before: Cell, gaps: &[Gap]) {
        // A house divided is two houses, and their points know it already.
        if before.in_house(mover) {
            return;
        }
        let captured = self.close(mover, at, gaps);
        if before.in_house(mover.other()) {
            if captured {
                self.break_house(mover.other(), at);
            } else {
                self.enclose(mover.other(), at);
            }
        }
    }

    /// Encloses every face that the dot has closed. Returns whether one of them was captured.
    fn close(&mut self, seat: Seat, at: PointIndex, gaps: &[Gap]) -> bool {
        if gaps.len() < 2 {
            // All open points round the dot are still one face, the one that reached the edge before.
            return false;
        }
        let mut captured = false;
        for (gap, closed) in gaps.iter().zip(closed_gaps(&self.board, seat, at, gaps)) {
            let inside = at.step(gap.open);
            // A closed face that lies inside the line of another may have been captured with it.
            if closed && !self.board[inside].in_area(seat) {
                captured |= self.enclose(seat, inside);
            }
        }
        captured
    }

    /// Takes the closed face that `inside` belongs to: as an area if a live enemy is in it, else as a house.
    ///
    /// Returns whether the face was captured.
    fn enclose(&mut self, seat: Seat, inside: PointIndex) -> bool {
        if self.board.is_walled_in(inside, seat) {
            return self.enclose_one(seat, inside);
        }
        let first = self.undo_log.len();
        let (top, inhabited) = self.flood_face(seat, inside);
        if inhabited {
            let line = self.lines.len();
            let inside = self.follow_line(seat, top.step(Direction::UP));
            if inside != Some(self.undo_log.len() - first) {
                self.flood_inside(first);
            }
            self.take(seat, first, line);
        } else {
            for point in &self.undo_log[first..] {
                self.board[point.at] = Cell::house(seat);
            }
        }
        inhabited
    }

    /// Takes a closed face of one point, as most of them are: its line is the four walls beside it.
    fn enclose_one(&mut self, seat: Seat, inside: PointIndex) -> bool {
        let (first, line) = (self.undo_log.len(), self.lines.len());
        let before = self.board[inside];
        self.undo_log.push(UndoEntry { at: inside, before });
        let inhabited = before.is_wall(seat.other());
        if inhabited {
            let [up, right, down, left] = inside.straight();
            self.lines.extend_from_slice(&[up, left, down, right]);
            self.board.set(inside, before.captured_by(seat));
            self.score[seat.index()] += 1;
            self.enclosed.push(Enclosed {
                seat,
                dead: 1,
                line: (line as u32, self.lines.len() as u32),
                area: (first as u32, self.undo_log.len() as u32),
            });
        } else {
            self.board[inside] = Cell::house(seat);
        }
        inhabited
    }

    /// Marks the face round `inside` and lists its points; returns the first point of its top row, and whether a live enemy is in
    /// it.
    fn flood_face(&mut self, seat: Seat, inside: PointIndex) -> (PointIndex, bool) {
        let mut next = self.undo_log.len();
        let (mut top, mut inhabited) = (inside, false);
        self.reach(inside);
        while let Some(&UndoEntry { at, before }) = self.undo_log.get(next) {
            next += 1;
            top = top.min(at);
            inhabited |= before.is_wall(seat.other());
            // Chance decides which neighbours are open, so branches here would be mispredicted often: all four are
            // written, each over the last one that was not open, and as many are kept as there are.
            let end = self.undo_log.len();
            self.undo_log
                .extend_from_slice(&[UndoEntry { at, before }; 4]);
            let mut count = 0;
            if let Some(slots) = self.undo_log.last_chunk_mut::<4>() {
                for neighbour in at.straight() {
                    let before = self.board[neighbour];
                    let open = before.is_open(seat);
                    self.board[neighbour] = before.marked_if(open);
                    slots[count % 4] = UndoEntry {
                        at: neighbour,
                        before,
                    };
                    count += usize::from(open);
                }
            }
            self.undo_log.truncate(end + count);
        }
        (top, inhabited)
    }

    /// Follows the outer line of a face from the wall above the first point of its top row, and marks it.
    ///
    /// The line leaves that wall to the left, and whatever hangs on the wall comes only after the line has closed. A dot that
    /// comes twice has a loop between its two times that hangs inside; the loop is cut off.
    ///
    /// Returns the number of points inside, unless a loop was cut off.
    fn follow_line(&mut self, seat: Seat, start: PointIndex) -> Option<usize> {
        let first = self.lines.len();
        let (mut at, mut search) = (start, Search::BELOW);
        let (mut strips, mut is_whole) = (0, true);
        loop {
            if self.board[at].is_marked() {
                is_whole = false;
                while self.lines[self.lines.len() - 1] != at {
                    let loose = self.lines.pop().expect("a marked dot is on the line");
                    self.board[loose] = self.board[loose].unmarked();
                }
            } else {
                self.board[at] = self.board[at].marked();
                self.lines.push(at);
            }
            let step = search.first_in(self.board.walls_around(at, seat));
            strips += at.strip(step);
            at = at.step(step);
            search = Search::after(step);
            if at == start {
                break;
            }
        }
        debug_assert!(
            self.lines.len() >= first + 4,
            "four dots are the shortest line"
        );
        is_whole.then(|| PointIndex::points_inside(strips, self.lines.len() - first))
    }

    /// Lists the rest of the points inside the marked line, beginning from the listed points of the face.
    fn flood_inside(&mut self, first: usize) {
        let mut next = first;
        while let Some(&UndoEntry { at, .. }) = self.undo_log.get(next) {
            next += 1;
            for neighbour in at.straight() {
                if !self.board[neighbour].is_marked() {
                    self.reach(neighbour);
                }
            }
        }
    }

    /// Hands the listed points to the seat, counts the dots that died and that were freed, and keeps the line for drawing.
    fn take(&mut self, seat: Seat, first: usize, line: usize) {
        let (mut dead, mut freed) = (0, 0);
        for &UndoEntry { at, before } in &self.undo_log[first..] {
            let after = before.captured_by(seat);
            self.board.set(at, after);
            self.free -= u16::from(before.is_free());
            if after.is_dead() {
                dead += 1;
                self.score[seat.index()] += u16::from(!before.is_dead());
            } else if before.is_dead() {
                freed += 1;
            }
        }
        if freed > 0 {
            self.score[seat.other().index()] -= freed;
            self.join_freed(seat, first);
        }
        for &at in &self.lines[line..] {
            self.board[at] = self.board[at].unmarked();
        }
        self.enclosed.push(Enclosed {
            seat,
            dead,
            line: (line as u32, self.lines.len() as u32),
            area: (first as u32, self.undo_log.len() as u32),
        });
    }

    /// Joins the dots of the listed points that live again to their neighbours.
    fn join_freed(&mut self, seat: Seat, first: usize) {
        for index in first..self.undo_log.len() {
            let UndoEntry { at, before } = self.undo_log[index];
            if before.is_dead() && self.board[at].is_wall(seat) {
                for wall in self.board.walls_beside(at, seat) {
                    self.groups.join(at, wall);
                }
            }
        }
    }

    /// Takes the points of a house out of it: the dot that stands in the house has opened it.
    fn break_house(&mut self, seat: Seat, at: PointIndex) {
        let mut next = self.undo_log.len();
        self.undo_log.push(UndoEntry {
            at,
            before: self.board[at],
        });
        while let Some(&UndoEntry { at, .. }) = self.undo_log.get(next) {
            next += 1;
            for neighbour in at.straight() {
                if self.board[neighbour].in_house(seat) {
                    self.undo_log.push(UndoEntry {
                        at: neighbour,
                        before: self.board[neighbour],
                    });
                    self.board[neighbour] = Cell::EMPTY;
                }
            }
        }
    }

    /// Marks a point and notes its content before in the undo log.
    #[inline]
    fn reach(&mut self, at: PointIndex) {
        let before = self.board[at];
        self.board[at] = before.marked();
        self.undo_log.push(UndoEntry { at, before });
    }
}
