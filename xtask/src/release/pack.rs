//! Archives whose bytes depend on nothing but their files and one date: sorted, with one owner, without what a machine
//! adds.

use anyhow::{Context, Result, ensure};
use flate2::{Compression, GzBuilder, read::GzDecoder};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use md5::{Digest, Md5};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub content: Vec<u8>,
    pub is_program: bool,
}

/// Files by their path in the archive, with `/` between its parts.
pub type Files = BTreeMap<String, File>;

/// A file that is no program.
pub fn plain(content: impl Into<Vec<u8>>) -> File {
    File { content: content.into(), is_program: false }
}

pub fn program(content: impl Into<Vec<u8>>) -> File {
    File { content: content.into(), is_program: true }
}

/// All files below a folder; those of `programs` may be run.
pub fn read_folder(folder: &Path, programs: &[&str]) -> Result<Files> {
    let mut found = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| next.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let parts: Option<Vec<_>> = path.strip_prefix(folder)?.iter().map(|part| part.to_str()).collect();
            let name = parts.with_context(|| format!("{} is no text", path.display()))?.join("/");
            let is_program = programs.contains(&name.as_str());
            found.insert(name, File { content: fs::read(&path)?, is_program });
        }
    }
    Ok(found)
}

/// The folders that files lie in, each before what is in it.
fn folders(files: &Files) -> Vec<String> {
    let mut found: Vec<_> = files
        .keys()
        .flat_map(|name| name.match_indices('/').map(|(at, _)| format!("{}/", &name[..at])).collect::<Vec<_>>())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// An archive of tar, not compressed. `date` in seconds since 1970. Debian's have `./` before every path.
fn tar(files: &Files, date: u64, is_debian: bool) -> Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |name: &str, kind: tar::EntryType, mode: u32, content: &[u8]| -> Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_username("root")?;
        header.set_groupname("root")?;
        header.set_mtime(date);
        header.set_size(content.len() as u64);
        if !is_debian {
            return Ok(archive.append_data(&mut header, name, content)?);
        }
        // The crate would leave out what means nothing.
        let name = format!("./{name}");
        let place = header.as_old_mut().name.get_mut(..name.len()).with_context(|| format!("{name} is too long"))?;
        place.copy_from_slice(name.as_bytes());
        header.set_cksum();
        Ok(archive.append(&header, content)?)
    };
    for name in folders(files) {
        add(&name, tar::EntryType::Directory, 0o755, &[])?;
    }
    for (name, file) in files {
        add(name, tar::EntryType::Regular, if file.is_program { 0o755 } else { 0o644 }, &file.content)?;
    }
    Ok(archive.into_inner()?)
}

/// Compressed without a name and a date of its own.
pub fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    writer.write_all(content)?;
    Ok(writer.finish()?)
}

pub fn tar_gz(files: &Files, date: u64) -> Result<Vec<u8>> {
    gzip(&tar(files, date, false)?)
}

/// The date and time in UTC of seconds since 1970.
pub fn civil(date: u64) -> Result<jiff::civil::DateTime> {
    Ok(Timestamp::from_second(i64::try_from(date)?)?.to_zoned(TimeZone::UTC).datetime())
}

pub fn zip(files: &Files, date: u64) -> Result<Vec<u8>> {
    let date = DateTime::try_from(civil(date)?)?;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, file) in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(date)
            .unix_permissions(if file.is_program { 0o755 } else { 0o644 });
        archive.start_file(name.as_str(), options)?;
        archive.write_all(&file.content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// A package of Debian: an archive of `ar` with two of tar. `control` and `md5sums` describe it, `files` are installed.
pub fn deb(control: &str, files: &Files, date: u64) -> Result<Vec<u8>> {
    let mut sums = String::new();
    for (name, file) in files {
        sums += &format!("{}  {name}\n", super::hex(&Md5::digest(&file.content)));
    }
    let control = Files::from([("control".to_owned(), plain(control)), ("md5sums".to_owned(), plain(sums))]);
    let mut archive = b"!<arch>\n".to_vec();
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gzip(&tar(&control, date, true)?)?),
        ("data.tar.gz", gzip(&tar(files, date, true)?)?),
    ];
    for (name, content) in members {
        // Name, date, owner, group, mode, length: text in columns.
        writeln!(archive, "{name:<16}{date:<12}{:<6}{:<6}{:<8}{:<10}`", 0, 0, "100644", content.len())?;
        archive.extend_from_slice(&content);
        if content.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    Ok(archive)
}

/// Unpacks an archive by the end of its name into a folder, as its receiver would.
pub fn unpack(archive: &Path, into: &Path) -> Result<()> {
    let bytes = fs::read(archive).with_context(|| archive.display().to_string())?;
    let is = |ending| archive.to_str().is_some_and(|name| name.ends_with(ending));
    if is(".tar.gz") {
        tar::Archive::new(GzDecoder::new(&bytes[..])).unpack(into)?;
    } else {
        ensure!(is(".zip"), "{}: neither .tar.gz nor .zip", archive.display());
        ZipArchive::new(Cursor::new(bytes))?.extract(into)?;
    }
    Ok(())
}

/// The archive of tar within `archive` anew, in the order of names and with the date and owner of ours. A file of the
/// same name as one of `replaced` has that one's content.
pub fn repack(archive: &Path, replaced: &[(String, Vec<u8>)], date: u64) -> Result<Vec<u8>> {
    let bytes = fs::read(archive).with_context(|| archive.display().to_string())?;
    let mut files = Files::new();
    for entry in tar::Archive::new(GzDecoder::new(&bytes[..])).entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = entry.path()?.to_str().map(str::to_owned).context("a path that is no text")?;
        let is_program = entry.header().mode()? & 0o100 != 0;
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        if let Some((_, new)) = replaced.iter().find(|(other, _)| *other == name) {
            content.clone_from(new);
        }
        files.insert(name, File { content, is_program });
    }
    tar_gz(&files, date)
}

/// Writes a file whole.
pub fn write(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, content).with_context(|| path.display().to_string())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::Scratch;

    /// 2026-11-23 04:19:07 UTC.
    const DATE: u64 = 1_795_407_547;

    fn files() -> Files {
        Files::from([
            ("a/bin/tool".to_owned(), program(b"#!".repeat(300))),
            ("a/README.md".to_owned(), plain("read me\n")),
            ("b".to_owned(), plain("")),
        ])
    }

    #[test]
    fn folders_come_before_what_is_in_them() {
        let names = ["a/b/c", "a/d", "e"].map(|name| (name.to_owned(), plain("")));
        assert_eq!(folders(&Files::from(names)), ["a/", "a/b/"]);
    }

    #[test]
    fn archives_are_read_back_as_they_were_written() {
        let scratch = Scratch::new("pack").unwrap();
        for (name, bytes) in [("x.tar.gz", tar_gz(&files(), DATE).unwrap()), ("x.zip", zip(&files(), DATE).unwrap())] {
            let archive = write(scratch.path(), name, &bytes).unwrap();
            let into = scratch.path().join(format!("{name}-unpacked"));
            unpack(&archive, &into).unwrap();
            assert_eq!(read_folder(&into, &["a/bin/tool"]).unwrap(), files(), "{name}");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = |name| fs::metadata(into.join(name)).unwrap().permissions().mode() & 0o777;
                assert_eq!([mode("a/bin/tool"), mode("a/README.md")], [0o755, 0o644], "{name}");
            }
        }
    }

    /// The bytes are fixed: whatever changes them changes the sums of a release that was built before.
    #[test]
    fn the_same_files_and_date_give_the_same_bytes_for_ever() {
        let sums =
            [tar(&files(), DATE, false).unwrap(), zip(&Files::from([("b".to_owned(), plain(""))]), DATE).unwrap()]
                .map(|bytes| super::super::sha256(&bytes));
        let expected = [
            "a5008d8537416e942d95ca93d451ae59861db36482a66083a119a92530660586",
            "46ea1bf28214b88c16c119d3c458781d0ca34aea5886cfd017a29e0695013d2c",
        ];
        assert_eq!(sums, expected);
        assert_eq!(tar_gz(&files(), DATE).unwrap(), tar_gz(&files(), DATE).unwrap());
        assert_ne!(tar_gz(&files(), DATE).unwrap(), tar_gz(&files(), DATE + 1).unwrap());
    }

    #[test]
    fn gzip_holds_neither_name_nor_date_nor_system() {
        let packed = gzip(b"text").unwrap();
        // RFC 1952: no flags, no date, slowest compression, unknown system.
        assert_eq!(packed[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
        let mut text = String::new();
        GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
    }

    #[test]
    fn what_others_pack_is_packed_anew_in_one_way() {
        let scratch = Scratch::new("repack").unwrap();
        // The other way round, with another date.
        let mut other = tar::Builder::new(Vec::new());
        for (name, file) in files().iter().rev() {
            let mut header = tar::Header::new_gnu();
            header.set_size(file.content.len() as u64);
            header.set_mode(if file.is_program { 0o700 } else { 0o600 });
            header.set_uid(1000);
            header.set_mtime(1);
            other.append_data(&mut header, name, &file.content[..]).unwrap();
        }
        let bytes = gzip(&other.into_inner().unwrap()).unwrap();
        let archive = write(scratch.path(), "other.tar.gz", &bytes).unwrap();
        assert!(repack(&archive, &[], DATE).unwrap() == tar_gz(&files(), DATE).unwrap());
        let replaced = [("a/README.md".to_owned(), b"another\n".to_vec())];
        let mut expected = files();
        expected.insert("a/README.md".to_owned(), plain("another\n"));
        assert!(repack(&archive, &replaced, DATE).unwrap() == tar_gz(&expected, DATE).unwrap());
    }

    #[test]
    fn a_debian_package_has_its_three_members() {
        let package = deb("Package: x\n", &files(), DATE).unwrap();
        assert!(package.starts_with(b"!<arch>\ndebian-binary   1795407547  0     0     100644  4         `\n2.0\n"));
        let (mut at, mut names) = (8, Vec::new());
        while at < package.len() {
            let header = std::str::from_utf8(&package[at..at + 60]).unwrap();
            assert!(header.ends_with("`\n"), "{header:?}");
            names.push(header[..16].trim_end().to_owned());
            let length: usize = header[48..58].trim_end().parse().unwrap();
            if names.len() == 3 {
                let mut data = tar::Archive::new(GzDecoder::new(&package[at + 60..at + 60 + length]));
                let path = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                let paths = data.entries().unwrap().map(|entry| path(&entry.unwrap().path_bytes()));
                assert_eq!(paths.collect::<Vec<_>>(), ["./a/", "./a/bin/", "./a/README.md", "./a/bin/tool", "./b"]);
            }
            at += 60 + length + length % 2;
        }
        assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
        assert_eq!(at, package.len());
    }
}
