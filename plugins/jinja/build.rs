//! Gives the module a stack for deep syntax trees. As a flag of build.sh for all crates it would
//! have std compiled once more.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=1048576");
    }
}
