//! The imports of modules, and the circles among them.

use crate::source::{How, ModulePath, Place, Source};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The imports among the modules directly below one module: from, to, and where.
pub(crate) type Imports = BTreeMap<(String, String), Vec<Place>>;

/// The name in a list of imports of the module that holds the others.
pub(crate) const BASE: &str = "(itself)";

/// The target of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Module(ModulePath),
    /// An item of this module.
    ItemOf(ModulePath),
}

/// The longest chain of aliases, which may refer to each other.
const DEPTH: usize = 16;

impl Source {
    /// Returns the modules that hold modules, the root first.
    pub(crate) fn levels(&self) -> BTreeSet<ModulePath> {
        let above = |path: &ModulePath| path.split_last().map(|(_, above)| above.to_vec());
        self.modules.keys().filter_map(above).collect()
    }

    /// Returns the imports among the modules directly below `base`. A name that `base` exports again counts as of the module
    /// where it is defined.
    pub(crate) fn imports(&self, base: &[String]) -> Imports {
        let mut imports = Imports::new();
        for (path, module) in &self.modules {
            let Some(from) = node(path, base) else {
                continue;
            };
            for mention in &module.mentions {
                if from == BASE && mention.how == How::Reexport {
                    continue;
                }
                let target = match self.resolve(path, &mention.segments, 0) {
                    // To have the name of the module that holds the others is to import none of them yet.
                    Some(Target::Module(to)) if node(&to, base) == Some(BASE) => continue,
                    Some(Target::Module(to) | Target::ItemOf(to)) => to,
                    None => continue,
                };
                if let Some(to) = node(&target, base)
                    && to != from
                {
                    imports
                        .entry((from.to_owned(), to.to_owned()))
                        .or_default()
                        .push(mention.place.clone());
                }
            }
        }
        imports
    }

    fn resolve(&self, from: &ModulePath, segments: &[String], depth: usize) -> Option<Target> {
        let (first, rest) = segments.split_first()?;
        let begin = match first.as_str() {
            "crate" => Target::Module(Vec::new()),
            "self" => Target::Module(from.clone()),
            "super" => {
                let mut above = from.clone();
                above.pop()?;
                Target::Module(above)
            }
            _ => self.lookup(from, first, depth)?,
        };
        rest.iter().try_fold(begin, |at, name| match at {
            Target::Module(mut path) if name == "super" => {
                path.pop()?;
                Some(Target::Module(path))
            }
            Target::Module(path) if name == "self" => Some(Target::Module(path)),
            Target::Module(path) => Some(
                self.lookup(&path, name, depth)
                    .unwrap_or(Target::ItemOf(path)),
            ),
            item @ Target::ItemOf(_) => Some(item),
        })
    }

    /// Returns the meaning of a name in a module: a module in it, something imported, or an item of it.
    fn lookup(&self, at: &ModulePath, name: &str, depth: usize) -> Option<Target> {
        if depth > DEPTH {
            return None;
        }
        let mut inner = at.clone();
        inner.push(name.to_owned());
        if self.modules.contains_key(&inner) {
            return Some(Target::Module(inner));
        }
        let module = self.modules.get(at)?;
        if module.items.contains(name) {
            return Some(Target::ItemOf(at.clone()));
        }
        if let Some(path) = module.aliases.get(name) {
            // `use name;` and `use other::name` of another crate refer to nothing here.
            if path.first().is_some_and(|first| first == name) {
                return None;
            }
            return self.resolve(at, path, depth + 1);
        }
        module.globs.iter().find_map(|glob| {
            let Some(Target::Module(path)) = self.resolve(at, glob, depth + 1) else {
                return None;
            };
            (path != *at)
                .then(|| self.lookup(&path, name, depth + 1))
                .flatten()
        })
    }
}

/// Returns the module directly below `base` that `path` is in.
fn node<'a>(path: &'a [String], base: &[String]) -> Option<&'a str> {
    let below = path.strip_prefix(base)?;
    Some(below.first().map_or(BASE, String::as_str))
}

/// Returns a shortest circle, as the modules that it leads through; the last imports the first.
pub(crate) fn circle(edges: &BTreeSet<(String, String)>) -> Option<Vec<String>> {
    let nodes: BTreeSet<&String> = edges.iter().map(|(from, _)| from).collect();
    nodes
        .into_iter()
        .filter_map(|node| circle_through(edges, node))
        .min_by_key(Vec::len)
}

/// Returns a shortest circle through one module.
pub(crate) fn circle_through(
    edges: &BTreeSet<(String, String)>,
    node: &str,
) -> Option<Vec<String>> {
    let mut queue = VecDeque::from([vec![node.to_owned()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = queue.pop_front() {
        let last = way.last()?;
        for (_, to) in edges.iter().filter(|(from, _)| from == last) {
            if to == node {
                return Some(way);
            }
            if seen.insert(to.clone()) {
                let mut longer = way.clone();
                longer.push(to.clone());
                queue.push_back(longer);
            }
        }
    }
    None
}

/// Returns the groups of modules that import each other, directly or not.
pub(crate) fn groups(edges: &BTreeSet<(String, String)>) -> BTreeSet<BTreeSet<String>> {
    let reach = |start: &String| {
        let mut seen = BTreeSet::new();
        let mut queue = vec![start.clone()];
        while let Some(at) = queue.pop() {
            for (_, to) in edges.iter().filter(|(from, _)| *from == at) {
                if seen.insert(to.clone()) {
                    queue.push(to.clone());
                }
            }
        }
        seen
    };
    let nodes: BTreeSet<&String> = edges.iter().map(|(from, _)| from).collect();
    let reached: BTreeMap<&String, BTreeSet<String>> =
        nodes.iter().map(|node| (*node, reach(node))).collect();
    nodes
        .iter()
        .filter(|node| reached[*node].contains(**node))
        .map(|node| {
            (nodes.iter())
                .filter(|other| reached[*node].contains(**other) && reached[*other].contains(*node))
                .map(|other| (*other).clone())
                .collect()
        })
        .collect()
}
