//! Write rubric-host plugins in Rust.
//!
//! A plugin is a `cdylib` for `wasm32-unknown-unknown` with one function for
//! each scorer:
//!
//! ```
//! use rubric_host_sdk::{export, Answer, Request, Result};
//!
//! /// The share of references that the output contains.
//! fn mentions(request: &Request) -> Result<Answer> {
//!     let references = request.references()?;
//!     let Some(output) = request.output()? else {
//!         return Ok(Answer::unscored("the case has no output"));
//!     };
//!     if references.is_empty() {
//!         return Ok(Answer::unscored("the case has no references"));
//!     }
//!     let found = references.iter().filter(|r| output.contains(**r)).count();
//!     Ok(Answer::score(found as f64 / references.len() as f64))
//! }
//!
//! export!(mentions => mentions);
//! ```
//!
//! The contract that these types speak is `sdk/ABI.md`. Nothing here needs
//! `unsafe` in the plugin, and no import: the module asks nothing of its host.
//!
//! Memory: the SDK brings an allocator that hands out addresses upwards and
//! frees nothing but the newest block, because the host puts the memory back
//! after every call. A plugin that needs another one switches the default
//! feature `bump` off.
//!
//! Stability: experimental until contract 1 is released.

#![deny(missing_docs, unsafe_code)]

mod answer;
mod config;
mod decimal;
mod guest;
mod json;
mod number;
mod object;
mod request;

pub use answer::{Answer, Error, Evidence, Result};
pub use config::Config;
pub use json::{parse, Value};
pub use object::Object;
pub use request::{Criterion, Level, Request, CONTRACT};

#[doc(hidden)]
#[cfg(target_arch = "wasm32")]
pub use guest::{call, give};
#[doc(hidden)]
pub use guest::respond;
