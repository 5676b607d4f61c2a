//! The function, and the code that it becomes.

use crate::arguments::{Arguments, Method, NamedError, PageStatus};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Block, Error, Expr, ExprLit, FnArg, GenericArgument, Ident, ItemFn, Lit, Meta, Pat, PatType,
    PathArguments, PathSegment, Result, ReturnType, Type,
};

/// The types of callers.
const CALLERS: [&str; 4] = ["Player", "SessionPlayer", "RecentPlayer", "Operator"];

/// The caller in a signature.
struct Caller {
    pattern: Pat,
    kind: Ident,
    is_optional: bool,
}

impl Caller {
    /// The type, in the module of callers, so that a browser need not know it.
    fn as_type(&self) -> TokenStream {
        let kind = &self.kind;
        if self.is_optional {
            quote!(::core::option::Option<crate::context::#kind>)
        } else {
            quote!(crate::context::#kind)
        }
    }
}

pub(crate) struct Function {
    item: ItemFn,
    /// The name of the server's state, where the function asks for it.
    app: Option<Pat>,
    caller: Option<Caller>,
    /// The parameters that are arguments of the endpoint.
    arguments: Vec<PatType>,
}

impl Function {
    /// Tells the arguments of the endpoint from the other parameters.
    pub(crate) fn read(item: ItemFn) -> Result<Self> {
        let (mut app, mut caller, mut arguments) = (None, None, Vec::new());
        for input in &item.sig.inputs {
            let FnArg::Typed(parameter) = input else {
                return Err(Error::new_spanned(input, "an endpoint has no `self`"));
            };
            let pattern = (*parameter.pat).clone();
            if last_segment(&parameter.ty).is_some_and(|last| last.ident == "AppState") {
                app = Some(pattern);
            } else if let Some((kind, is_optional)) = caller_type(&parameter.ty) {
                let read = Caller {
                    pattern,
                    kind,
                    is_optional,
                };
                if caller.replace(read).is_some() {
                    return Err(Error::new_spanned(input, "an endpoint has one caller"));
                }
            } else {
                arguments.push(parameter.clone());
            }
        }
        Ok(Self {
            item,
            app,
            caller,
            arguments,
        })
    }

    pub(crate) fn expand(&self, endpoint: &Arguments) -> Result<TokenStream> {
        self.check_scope(endpoint)?;
        let ItemFn {
            attrs,
            vis,
            sig,
            block,
        } = &self.item;
        let (ident, output, arguments) = (&sig.ident, &sig.output, &self.arguments);
        let (name, last_part) = (&endpoint.name, endpoint.last_part()?);
        let protocol = match endpoint.method {
            Method::Get => quote!(Query),
            Method::Post => quote!(Form),
        };
        let call = self.call(endpoint.page, block);
        let registration = self.registration(endpoint)?;
        Ok(quote! {
            #(#attrs)*
            #[::leptos::prelude::server(
                name = #name,
                prefix = "/api",
                endpoint = #last_part,
                protocol = crate::codec::#protocol
            )]
            #vis async fn #ident(#(#arguments),*) #output {
                #call
            }

            #registration
        })
    }

    /// Fails where a token would be let through to a function that refuses it.
    fn check_scope(&self, endpoint: &Arguments) -> Result<()> {
        let kind = self.caller.as_ref().map(|caller| &caller.kind);
        match (&endpoint.scope, kind) {
            (Some(scope), Some(kind)) if kind == "SessionPlayer" || kind == "Operator" => {
                let text = format!("no token reaches a function for `{kind}`");
                Err(Error::new(scope.span(), text))
            }
            _ => Ok(()),
        }
    }

    /// The body: called with the state and the caller, once the caller is known.
    fn call(&self, page: PageStatus, block: &Block) -> TokenStream {
        let page = match page {
            PageStatus::Unchanged => quote!(Unchanged),
            PageStatus::OfError => quote!(OfError),
            PageStatus::Hidden => quote!(Hidden),
        };
        let app = match &self.app {
            Some(app) => quote!(#app),
            None => quote!(_),
        };
        let caller = match &self.caller {
            Some(caller) => {
                let (pattern, kind) = (&caller.pattern, caller.as_type());
                quote!(#pattern: #kind)
            }
            None => quote!((): ()),
        };
        quote! {
            crate::context::call(
                crate::context::PageStatus::#page,
                |#app, #caller| async move #block,
            )
            .await
        }
    }

    /// The entry in the list of endpoints, on the server alone.
    fn registration(&self, endpoint: &Arguments) -> Result<TokenStream> {
        let kind = match &self.caller {
            Some(caller) => caller.as_type(),
            None => quote!(()),
        };
        let method = match endpoint.method {
            Method::Get => quote!(Get),
            Method::Post => quote!(Post),
        };
        let (path, answers, has_etag) = (&endpoint.path, &endpoint.answers, endpoint.has_etag);
        let scope = optional(
            endpoint
                .scope
                .as_ref()
                .map(|scope| quote!(::tochki_protocol::Scope::#scope)),
        );
        let who = optional(endpoint.who.as_ref().map(|who| quote!(#who)));
        let errors = endpoint.errors.iter().map(|NamedError { code, note }| {
            let note = optional(note.as_ref().map(|note| quote!(#note)));
            quote!((::tochki_protocol::Code::#code, #note))
        });
        let arguments = self
            .arguments
            .iter()
            .map(argument)
            .collect::<Result<Vec<_>>>()?;
        let (description, answer) = (self.description(), self.answer()?);
        Ok(quote! {
            #[cfg(feature = "ssr")]
            crate::endpoint::inventory::submit! {
                crate::endpoint::Endpoint {
                    method: crate::endpoint::Method::#method,
                    path: #path,
                    caller: <#kind as crate::context::Caller>::KIND,
                    who: #who,
                    scope: #scope,
                    description: #description,
                    arguments: &[#(#arguments),*],
                    answers: #answers,
                    answer: ::core::option::Option::Some(crate::endpoint::schema_of::<#answer>),
                    has_etag: #has_etag,
                    errors: &[#(#errors),*],
                    module: ::core::module_path!(),
                    line: ::core::line!(),
                }
            }
        })
    }

    /// The documentation of the function.
    fn description(&self) -> String {
        let texts = self.item.attrs.iter().filter_map(|attribute| {
            let Meta::NameValue(pair) = &attribute.meta else {
                return None;
            };
            match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) if pair.path.is_ident("doc") => Some(text.value().trim().to_owned()),
                _ => None,
            }
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The type of the answer, `T` of `Result<T, ErrorResponse>`.
    fn answer(&self) -> Result<&Type> {
        let output = &self.item.sig.output;
        let answer = match output {
            ReturnType::Type(_, result) => last_segment(result).and_then(first_argument),
            ReturnType::Default => None,
        };
        answer.ok_or_else(|| {
            Error::new_spanned(output, "an endpoint answers `Result<T, ErrorResponse>`")
        })
    }
}

/// An argument, as an entry has it.
fn argument(parameter: &PatType) -> Result<TokenStream> {
    let Pat::Ident(name) = &*parameter.pat else {
        return Err(Error::new_spanned(parameter, "an argument has a name"));
    };
    let (name, kind) = (name.ident.to_string(), &parameter.ty);
    let has_default = parameter
        .attrs
        .iter()
        .any(|of| of.path().is_ident("server"));
    let is_optional = has_default || last_segment(kind).is_some_and(|last| last.ident == "Option");
    Ok(quote! {
        crate::endpoint::Argument {
            name: #name,
            is_optional: #is_optional,
            schema: crate::endpoint::schema_of::<#kind>,
        }
    })
}

/// The caller of such a type, and whether it need not be there.
fn caller_type(kind: &Type) -> Option<(Ident, bool)> {
    let is_caller = |last: &&PathSegment| CALLERS.iter().any(|name| last.ident == name);
    let last = last_segment(kind)?;
    if last.ident == "Option" {
        let inner = first_argument(last).and_then(last_segment);
        return Some((inner.filter(is_caller)?.ident.clone(), true));
    }
    Some((Some(last).filter(is_caller)?.ident.clone(), false))
}

fn last_segment(kind: &Type) -> Option<&PathSegment> {
    match kind {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

fn first_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(list) = &segment.arguments else {
        return None;
    };
    list.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    })
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
