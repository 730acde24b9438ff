//! The contents of a release: a bill of materials in CycloneDX's form, and the licences of other people's code.
//! Whatever is given away has these from [`licences`]: archives, packages for Debian, Python and npm, the page for a
//! static host, containers.

use super::Release;
use super::pack::{self, Files};
use crate::tests::in_ci;
use crate::{output, root};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Where a released program finds what its licences want to be said.
const THIRD_PARTY: &str = "LICENSES-THIRD-PARTY.txt";

/// The licences of Rust's standard library, as the compiler comes with them.
const RUST_LIBRARY: &str = "LICENSES-RUST-LIBRARY.html";
/// Where the compiler has it, below its folder.
const OF_RUST_LIBRARY: &str = "share/doc/rust/COPYRIGHT-library.html";

/// The licences of the page's packages, whose texts are not in the repository otherwise. The program holds the page, and
/// the page this file.
const OF_PAGE: &str = include_str!("../../../web/public/licences.txt");

/// Those of what linkers add to programs.
const OF_SYSTEMS: &str = include_str!("system-licences.txt");

/// The package whose licences a thing needs: the program, the extension of Python, the engine as WebAssembly.
#[derive(Clone, Copy, Debug)]
pub enum Held {
    /// `hippolyta-app`
    Program,
    /// `hippolyta-python`
    Python,
    /// `hippolyta-web`
    Web,
}

impl Held {
    fn package(self) -> &'static str {
        match self {
            Self::Program => "hippolyta-app",
            Self::Python => "hippolyta-python",
            Self::Web => "hippolyta-web",
        }
    }
}

/// The packages of the workspace that are released; `xtask` is not.
const RELEASED: &[&str] = &["hippolyta-app", "hippolyta-python", "hippolyta-web"];

fn string<'a>(value: &'a Value, name: &str) -> Result<&'a str> {
    value[name].as_str().with_context(|| format!("cargo metadata: no {name}"))
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value]> {
    Ok(value[name].as_array().with_context(|| format!("cargo metadata: no {name}"))?)
}

/// Cargo's metadata of all packages.
fn metadata() -> Result<Value> {
    let text = output("cargo", &["metadata", "--format-version", "1", "--locked"])?;
    serde_json::from_str(&text).context("cargo metadata")
}

/// Packages that become part of `roots`, by their id, with the ids that each needs. Not what only builds or tests them, nor
/// macros, which run in the compiler.
fn linked(metadata: &Value, roots: &[&str]) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut macros = BTreeSet::new();
    let mut open = Vec::new();
    for package in list(metadata, "packages")? {
        let id = string(package, "id")?;
        let is_macro =
            |target: &Value| target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"proc-macro".into()));
        if list(package, "targets")?.iter().any(is_macro) {
            macros.insert(id);
        }
        if roots.contains(&string(package, "name")?) && package["source"].is_null() {
            open.push(id);
        }
    }
    ensure!(open.len() == roots.len(), "cargo metadata: not all of {roots:?}");
    let mut needs = BTreeMap::new();
    for node in list(&metadata["resolve"], "nodes")? {
        let mut needed = BTreeSet::new();
        for dependency in list(node, "deps")? {
            let is_linked = list(dependency, "dep_kinds")?.iter().any(|kind| kind["kind"].is_null());
            let id = string(dependency, "pkg")?;
            if is_linked && !macros.contains(id) {
                needed.insert(id.to_owned());
            }
        }
        needs.insert(string(node, "id")?, needed);
    }
    let mut found = BTreeMap::new();
    while let Some(id) = open.pop() {
        if found.contains_key(id) {
            continue;
        }
        let (_, needed) = needs.get_key_value(id).with_context(|| format!("cargo metadata: nothing of {id}"))?;
        open.extend(needed.iter().map(String::as_str));
        found.insert(id.to_owned(), needed.clone());
    }
    Ok(found)
}

/// Checksums of Cargo.lock by name and version.
fn lock() -> Result<BTreeMap<(String, String), String>> {
    let text = fs::read_to_string("Cargo.lock").context("Cargo.lock")?;
    let mut found = BTreeMap::new();
    for package in text.split("[[package]]") {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
            line.and_then(|rest| rest.strip_suffix('"')).map(str::to_owned)
        };
        if let (Some(name), Some(version), Some(checksum)) = (field("name"), field("version"), field("checksum")) {
            found.insert((name, version), checksum);
        }
    }
    Ok(found)
}

/// Packages of npm that the page holds: all that its lock file does not call a tool of development.
fn page() -> Result<Vec<Value>> {
    let name = "web/package-lock.json";
    let text = fs::read_to_string(root()?.join(name)).context(name)?;
    let lock: Value = serde_json::from_str(&text).context(name)?;
    let packages = lock["packages"].as_object().with_context(|| format!("{name}: no packages"))?;
    let mut found = Vec::new();
    for (path, package) in packages {
        let Some(name) = path.strip_prefix("node_modules/") else { continue };
        if package["dev"] == true || package["devOptional"] == true || package["optional"] == true {
            continue;
        }
        let version = string(package, "version")?;
        let reference = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
        let mut component = json!({
            "type": "library", "bom-ref": reference, "name": name, "version": version, "purl": reference,
        });
        if let Some(licence) = package["license"].as_str() {
            component["licenses"] = json!([{ "expression": licence }]);
        }
        found.push(component);
    }
    Ok(found)
}

/// The bill of materials of all files of a release: <https://cyclonedx.org/docs/1.6/json/>.
pub fn bill(release: &Release) -> Result<String> {
    let metadata = metadata()?;
    let linked = linked(&metadata, RELEASED)?;
    let checksums = lock()?;
    let (mut components, mut references) = (Vec::new(), BTreeMap::new());
    for package in list(&metadata, "packages")? {
        let (id, name, version) = (string(package, "id")?, string(package, "name")?, string(package, "version")?);
        if !linked.contains_key(id) {
            continue;
        }
        let reference = format!("pkg:cargo/{name}@{version}");
        references.insert(id, reference.clone());
        let mut component = json!({
            "type": "library", "bom-ref": reference, "name": name, "version": version, "purl": reference,
        });
        if let Some(licence) = package["license"].as_str() {
            // Before licences were expressions, a stroke stood for OR.
            component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        if let Some(description) = package["description"].as_str() {
            component["description"] = json!(description.trim());
        }
        if let Some(checksum) = checksums.get(&(name.to_owned(), version.to_owned())) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
        }
        components.push(component);
    }
    let main = format!("pkg:cargo/hippolyta-app@{}", release.version);
    let of_page = page()?;
    let page_references: Vec<_> = of_page.iter().map(|component| component["bom-ref"].clone()).collect();
    let page_name = format!("pkg:cargo/hippolyta-web@{}", release.version);
    let mut dependencies = Vec::new();
    for (id, needed) in &linked {
        let reference = &references[id.as_str()];
        let mut needed: Vec<_> = needed.iter().map(|id| json!(references[id.as_str()])).collect();
        if *reference == page_name {
            needed.extend(page_references.iter().cloned());
        }
        dependencies.push(json!({ "ref": reference, "dependsOn": needed }));
    }
    dependencies.extend(page_references.iter().map(|reference| json!({ "ref": reference, "dependsOn": [] })));
    components.extend(of_page);
    // The program itself is what the bill is about, no part of it.
    let (own, components): (Vec<_>, Vec<_>) =
        components.into_iter().partition(|component| component["bom-ref"] == main.as_str());
    let mut own = own.into_iter().next().context("cargo metadata: no hippolyta-app")?;
    own["type"] = json!("application");
    let bill = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": pack::civil(release.date)?.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            "component": own,
            "properties": [{ "name": "compiler", "value": output("rustc", &["--version"])?.trim() }],
        },
        "components": components,
        "dependencies": dependencies,
    });
    Ok(format!("{bill:#}\n"))
}

/// Our licences, and those of what a package holds: a file of all texts, each once, with the packages that it is for, and
/// that of Rust's standard library.
pub fn licences(held: Held) -> Result<Files> {
    let mut files = Files::new();
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        files.insert(name.to_owned(), pack::plain(fs::read(root()?.join(name)).context(name)?));
    }
    let metadata = metadata()?;
    let linked = linked(&metadata, &[held.package()])?;
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut overview = String::new();
    for package in list(&metadata, "packages")? {
        if !linked.contains_key(string(package, "id")?) || package["source"].is_null() {
            continue;
        }
        let name = format!("{} {}", string(package, "name")?, string(package, "version")?);
        overview += &format!("{name}: {}\n", package["license"].as_str().unwrap_or("see below"));
        let folder = Path::new(string(package, "manifest_path")?).parent().context("a manifest lies in a folder")?;
        for (_, text) in licence_files(folder)? {
            texts.entry(text).or_default().insert(name.clone());
        }
    }
    let mut sorted: Vec<_> = texts.into_iter().map(|(text, names)| (names, text)).collect();
    sorted.sort();
    let mut all = format!(
        "What hippolyta holds besides its own code, under which licences. {RUST_LIBRARY} has those of Rust's standard\n\
         library.\n\n{overview}"
    );
    for (names, text) in sorted {
        let names: Vec<_> = names.into_iter().collect();
        all += &format!("\n{}\n{}\n\n{}\n", "-".repeat(80), names.join(", "), text.trim_end());
    }
    let line = "-".repeat(80);
    all += &format!("\n{line}\nThe page:\n\n{OF_PAGE}\n{line}\nSystems:\n\n{OF_SYSTEMS}");
    files.insert(THIRD_PARTY.to_owned(), pack::plain(all));
    let path = Path::new(output("rustc", &["--print", "sysroot"])?.trim()).join(OF_RUST_LIBRARY);
    match fs::read(&path) {
        Ok(text) => drop(files.insert(RUST_LIBRARY.to_owned(), pack::plain(text))),
        // Compilers of a distribution may lie elsewhere, with their texts beside those of all others.
        Err(error) if !in_ci() => {
            eprintln!("without the licences of Rust's standard library: {}: {error}", path.display())
        }
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    }
    Ok(files)
}

/// Writes these files into a folder.
pub fn write_licences(held: Held, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, file) in licences(held)? {
        let path = folder.join(name);
        fs::write(&path, file.content).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The files of a package that hold licences, with line ends of one kind.
fn licence_files(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
        let is_licence = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
        if path.is_file() && is_licence.iter().any(|start| name.starts_with(start)) {
            let text = String::from_utf8_lossy(&fs::read(&path)?).replace("\r\n", "\n");
            found.insert(name, text);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_of_the_page_has_its_licence() {
        let packages = page().unwrap();
        assert!(packages.len() >= 2, "{packages:?}");
        let names: BTreeSet<_> = OF_PAGE.split([',', '\n']).map(str::trim).collect();
        for package in packages {
            assert!(names.contains(package["name"].as_str().unwrap()), "{package}");
        }
    }

    /// Each in the least form that it may have: all that is shipped calls the same function.
    #[test]
    fn licences_name_what_is_held_and_have_every_text() {
        let text = |held| {
            let files = licences(held).unwrap();
            assert!(files.contains_key("LICENSE-MIT") && files.contains_key("LICENSE-APACHE"));
            String::from_utf8(files[THIRD_PARTY].content.clone()).unwrap()
        };
        let (program, python, web) = (text(Held::Program), text(Held::Python), text(Held::Web));
        for all in [&program, &python, &web] {
            for words in ["Jason Miller", "Rich Felker", "mingw-w64 project", "Permission is hereby granted"] {
                assert!(all.contains(words), "{words}");
            }
        }
        assert!(program.contains("\naxum ") && python.contains("\npyo3 ") && web.contains("\nwasm-bindgen "));
        assert!(!web.contains("\naxum "));
    }

    /// Tools that pack packages leave out files that they are not told of.
    #[test]
    fn packages_take_all_files_of_licences() {
        let read = |name: &str| fs::read_to_string(root().unwrap().join(name)).unwrap();
        let package: Value = serde_json::from_str(&read("web/package/package.json")).unwrap();
        let taken = package["files"].as_array().unwrap();
        for name in ["LICENSE-MIT", "LICENSE-APACHE", THIRD_PARTY, RUST_LIBRARY] {
            assert!(name.starts_with("LICENSE") && taken.contains(&name.into()), "{name}: {taken:?}");
        }
        assert!(read("python/pyproject.toml").contains("\nlicense-files = [\"LICENSE*\"]\n"));
        assert!(read("Containerfile").contains("COPY --from=build /licences /licences\n"));
    }

    #[test]
    fn what_is_linked_leaves_out_macros_builds_and_tests() {
        let package = |id: &str, source: Value, kind: &str| json!({ "id": id, "name": id, "source": source, "targets": [{ "kind": [kind] }] });
        let needs = |id: &str, kind: Value| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [
                package("root", Value::Null, "lib"), package("a", json!("registry"), "lib"),
                package("b", json!("registry"), "lib"), package("derive", json!("registry"), "proc-macro"),
                package("parser", json!("registry"), "lib"), package("tester", json!("registry"), "lib"),
            ],
            "resolve": { "nodes": [
                { "id": "root", "deps": [
                    needs("a", Value::Null), needs("derive", Value::Null), needs("tester", json!("dev")),
                    needs("b", json!("build")),
                ] },
                { "id": "a", "deps": [needs("b", Value::Null)] },
                { "id": "b", "deps": [] }, { "id": "tester", "deps": [] }, { "id": "parser", "deps": [] },
                { "id": "derive", "deps": [needs("parser", Value::Null)] },
            ] },
        });
        let found = linked(&metadata, &["root"]).unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), ["a", "b", "root"]);
        assert_eq!(found["root"], BTreeSet::from(["a".to_owned()]));
        assert_eq!(linked(&metadata, &["other"]).unwrap_err().to_string(), "cargo metadata: not all of [\"other\"]");
    }
}
