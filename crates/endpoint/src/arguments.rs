//! The arguments of the attribute.

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitStr, Result, Token, parenthesized};

/// The method of an endpoint: how its arguments travel.
#[derive(Clone, Copy)]
pub(crate) enum Method {
    Get,
    Post,
}

/// The status of a page that has called the function, after an error.
#[derive(Clone, Copy)]
pub(crate) enum PageStatus {
    Unchanged,
    OfError,
    Hidden,
}

/// The code of an error, and a note.
pub(crate) struct NamedError {
    pub(crate) code: Ident,
    pub(crate) note: Option<LitStr>,
}

pub(crate) struct Arguments {
    pub(crate) name: Ident,
    pub(crate) method: Method,
    pub(crate) path: LitStr,
    pub(crate) scope: Option<Ident>,
    pub(crate) who: Option<LitStr>,
    pub(crate) answers: LitStr,
    pub(crate) errors: Vec<NamedError>,
    pub(crate) page: PageStatus,
    pub(crate) has_etag: bool,
}

impl Arguments {
    /// The last part of the path, as the macro of Leptos wants it.
    pub(crate) fn last_part(&self) -> Result<LitStr> {
        let path = self.path.value();
        let name = path.strip_prefix("/api/").filter(|name| !name.is_empty());
        let name =
            name.ok_or_else(|| Error::new(self.path.span(), "a path begins with `/api/`"))?;
        Ok(LitStr::new(name, self.path.span()))
    }
}

impl Parse for NamedError {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let code = input.parse()?;
        let note = if input.parse::<Option<Token![=]>>()?.is_some() {
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Self { code, note })
    }
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (mut name, mut address, mut answers) = (None, None, None);
        let (mut scope, mut who, mut errors) = (None, None, Vec::new());
        let (mut page, mut has_etag) = (PageStatus::Unchanged, false);
        while !input.is_empty() {
            let key = input.call(Ident::parse_any)?;
            match key.to_string().as_str() {
                "name" => name = Some(value(input)?),
                "get" => address = Some((Method::Get, value(input)?)),
                "post" => address = Some((Method::Post, value(input)?)),
                "scope" => scope = Some(value(input)?),
                "who" => who = Some(value(input)?),
                "answers" => answers = Some(value(input)?),
                "errors" => {
                    let list;
                    parenthesized!(list in input);
                    let list = Punctuated::<NamedError, Token![,]>::parse_terminated(&list)?;
                    errors = list.into_iter().collect();
                }
                "page" => page = PageStatus::OfError,
                "hidden_page" => page = PageStatus::Hidden,
                "etag" => has_etag = true,
                _ => return Err(Error::new(key.span(), "an endpoint has no such argument")),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let missing = |what| Error::new(Span::call_site(), format!("an endpoint needs `{what}`"));
        let (method, path) = address.ok_or_else(|| missing("get` or `post"))?;
        Ok(Self {
            name: name.ok_or_else(|| missing("name"))?,
            method,
            path,
            scope,
            who,
            answers: answers.ok_or_else(|| missing("answers"))?,
            errors,
            page,
            has_etag,
        })
    }
}

/// The value after `=`.
fn value<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}
