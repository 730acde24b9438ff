//! Files written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Writes `contents` to `path`: to a temporary name beside it first, then by rename. On an error an old file is as it was.
///
/// Links are followed. What is no file, a device or a pipe, is written to as it is.
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
    let temporary = temporary(path);
    let written = File::create(&temporary).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    renamed
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

/// Reads a file of at most so many bytes.
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

/// A name that only this process uses, in the same folder.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
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
    fn only_files_of_a_sensible_size_are_read() {
        let path = std::env::temp_dir().join(format!("hippolyta-read-{}", std::process::id()));
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read_file(&path, 5).unwrap(), b"12345");
        assert_eq!(read_file(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        fs::remove_file(&path).unwrap();
        assert_eq!(read_file(&path, 4).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(read_file(&std::env::temp_dir(), 4).is_err());
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
