//! `/programs`: how a program plays here. Its samples are files of their own, which tests run as they are.

mod page;

pub(crate) use page::ProgramsPage;
