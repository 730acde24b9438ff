//! Files written whole or not at all.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// How names of temporary files end: nobody else's do.
const TEMPORARY: &str = ".hippolyta-tmp";

/// Writes `contents` to `path`: to a temporary file beside it first, then by rename. On an error an old file is left
/// as it was.
///
/// Links are followed. Devices and pipes are written to directly. Half-written files that killed runs left in the same
/// folder are removed.
///
/// # Errors
///
/// Whatever the system says.
pub fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_whole_with(path, |file| file.write_all(contents))
}

/// The same with contents that `write` writes.
///
/// # Errors
///
/// Whatever the system or `write` says.
pub fn write_whole_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(path).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
        return write(&mut OpenOptions::new().write(true).open(path)?);
    }
    clear_leftovers(path);
    let (mut file, temporary) = temporary(path)?;
    let written = write(&mut file).and_then(|()| file.sync_all());
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// The path of a file beside `path` whose name has `ending` behind it.
#[must_use]
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(ending);
    path.with_file_name(name)
}

/// Opens a file to read it. Devices, pipes and folders are refused: they may have no end.
///
/// # Errors
///
/// Whatever the system says, and [`io::ErrorKind::InvalidInput`] for what is no file.
pub fn open_file(path: &Path) -> io::Result<File> {
    // Before it is opened: to open a pipe may block.
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"))
    }
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
///
/// Those of [`open_file`], and [`io::ErrorKind::FileTooLarge`].
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {most} bytes"));
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// The byte order mark of UTF-8, which editors and shells of Windows write before a text.
pub(crate) const UTF_8_MARK: &[u8] = "\u{feff}".as_bytes();

/// What to say of a text in UTF-16.
pub(crate) const UTF_16: &str = "this is UTF-16; save it as UTF-8";

/// Whether a text begins with a byte order mark of UTF-16.
pub(crate) fn is_utf_16(bytes: &[u8]) -> bool {
    [b"\xff\xfe", b"\xfe\xff"].iter().any(|mark| bytes.starts_with(*mark))
}

/// The text that the bytes of a whole file are, in UTF-8. A byte order mark before it is no part of it.
///
/// # Errors
///
/// [`io::ErrorKind::InvalidData`] with the line that is not UTF-8.
pub(crate) fn text(mut bytes: Vec<u8>) -> io::Result<String> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    if is_utf_16(&bytes) {
        return Err(wrong(UTF_16.to_owned()));
    }
    if bytes.starts_with(UTF_8_MARK) {
        bytes.drain(..UTF_8_MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = 1 + before.filter(|&&byte| byte == b'\n').count();
        wrong(format!("line {line} is not UTF-8"))
    })
}

/// A new file beside `path`, locked: as long as it is open nobody takes it for a leftover.
fn temporary(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        // Another machine may have a process of the same number that writes to the same folder.
        let temporary = beside(path, &format!(".{}-{number}{TEMPORARY}", std::process::id()));
        number += 1;
        let file = match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            file => file?,
        };
        // Where there are no locks nobody removes anything. Before it was locked somebody may have.
        let _ = file.lock();
        if temporary.exists() {
            return Ok((file, temporary));
        }
    }
}

/// Removes temporary files of processes that live no more from the folder of `path`, once for each folder.
fn clear_leftovers(path: &Path) {
    static CLEARED: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if CLEARED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        remove_leftovers(folder);
    }
}

fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = entry.file_name().as_encoded_bytes().ends_with(TEMPORARY.as_bytes());
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            // It stays open, and so locked, until it is gone.
            if let Ok(file) = OpenOptions::new().write(true).open(&path)
                && file.try_lock().is_ok()
            {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_file_stays_when_the_new_one_cannot_be_written() {
        let folder = std::env::temp_dir().join(format!("hippolyta-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.txt");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        // A folder that holds something cannot be replaced by a file.
        assert!(write_whole(&folder, b"newer").is_err());
        assert!(write_whole(&folder.join("missing/a.txt"), b"newer").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_dead_processes_left_is_removed_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("hippolyta-leftovers-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [dead, live, other] =
            ["a.1-0.hippolyta-tmp", "a.2-0.hippolyta-tmp", "a.3-0.tmp"].map(|name| folder.join(name));
        for path in [&dead, &live, &other] {
            fs::write(path, b"half").unwrap();
        }
        let lock = File::open(&live).unwrap();
        lock.lock().unwrap();
        // What is being written itself is not a leftover either.
        write_whole_with(&folder.join("b"), |file| {
            remove_leftovers(&folder);
            file.write_all(b"whole")
        })
        .unwrap();
        assert!(!dead.exists() && live.exists() && other.exists());
        assert_eq!(fs::read(folder.join("b")).unwrap(), b"whole");
        drop(lock);
        remove_leftovers(&folder);
        assert!(!live.exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn only_files_of_a_sensible_size_are_read() {
        let path = std::env::temp_dir().join(format!("hippolyta-read-{}", std::process::id()));
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read_file(&path, 5).unwrap(), b"12345");
        assert_eq!(read_file(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        fs::remove_file(&path).unwrap();
        assert_eq!(read_file(&path, 4).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(read_file(&std::env::temp_dir(), 4).is_err());
    }

    #[test]
    fn a_text_is_read_without_its_byte_order_mark_and_only_in_utf_8() {
        let read = |bytes: &[u8]| text(bytes.to_vec()).map_err(|error| error.to_string());
        assert_eq!(read(b"\xef\xbb\xbfa\xef\xbb\xbf").as_deref(), Ok("a\u{feff}"));
        assert_eq!(read(b"").as_deref(), Ok(""));
        for utf_16 in [&b"\xff\xfea\0"[..], b"\xfe\xff\0a"] {
            assert_eq!(read(utf_16), Err("this is UTF-16; save it as UTF-8".to_owned()));
        }
        assert_eq!(read(b"a\nb\nM\xfcller"), Err("line 3 is not UTF-8".to_owned()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_to_and_not_replaced_and_not_read() {
        let (full, null) = (Path::new("/dev/full"), Path::new("/dev/null"));
        assert_eq!(write_whole(full, b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
        write_whole(null, b"x").unwrap();
        assert!(!fs::metadata(full).unwrap().is_file() && !fs::metadata(null).unwrap().is_file());
        assert_eq!(read_file(Path::new("/dev/zero"), 4).unwrap_err().to_string(), "not a file");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        let folder = std::env::temp_dir().join(format!("hippolyta-links-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (file, link) = (folder.join("a"), folder.join("b"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        fs::remove_dir_all(&folder).unwrap();
    }
}
