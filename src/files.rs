//! Files written whole or not at all.

use crate::forks::{Lazy, undivided};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How names of temporary files end: nobody else's do.
const TEMPORARY: &str = ".hippolyta-tmp";

/// Writes `contents` to `path`: to a temporary file beside it first, then by rename. On an error an old file is left
/// as it was.
///
/// Symbolic links are followed, also to a file that is not there yet. A file that is written over keeps its mode, and
/// its owner and group as far as the system lets them be given away; another name of it (a hard link) keeps the old
/// contents. Devices and pipes are written to directly. Half-written files that killed runs left in the same folder are
/// removed.
///
/// # Errors
///
/// Whatever the system says; [`io::ErrorKind::IsADirectory`] for a folder.
pub fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_whole_with(path, |file| file.write_all(contents))
}

/// As [`write_whole`], where `write` writes the contents.
///
/// # Errors
///
/// Whatever the system or `write` says.
pub fn write_whole_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let path = &target(path)?;
    let known = fs::metadata(path).ok();
    if known.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder, not a file"));
    }
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return write(&mut OpenOptions::new().write(true).open(path)?);
    }
    clear_leftovers(path);
    let (mut file, temporary) = temporary(path, known.as_ref())?;
    let written = write(&mut file).and_then(|()| faults::check(path));
    let synced = written.and_then(|()| keep_access(&file, known.as_ref())).and_then(|()| file.sync_all());
    let renamed = synced.and_then(|()| faults::check(path)).and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// A file to which pieces are appended, each whole or not at all. Only where the process or the system dies is a piece
/// cut off: whoever reads the file next finds out how much is whole, and says so by [`cut`](Self::cut).
#[doc(hidden)]
#[derive(Debug)]
pub struct Appended {
    path: PathBuf,
    file: File,
    /// Bytes that are whole. What stands behind them is written over.
    length: u64,
}

impl Appended {
    /// Opens a file, or makes it. All that it holds counts as whole.
    ///
    /// # Errors
    ///
    /// Whatever the system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        // Not opened for appending alone: on Windows such a file may not be shortened.
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { path: path.to_owned(), file, length })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, to be read or locked.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Bytes that are whole.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Shortens the file to `length` bytes.
    ///
    /// # Errors
    ///
    /// Whatever the system says.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.length = length;
        faults::check_later(&self.path)?;
        self.file.set_len(length)
    }

    /// Appends a piece and waits until it is on the disk.
    ///
    /// # Errors
    ///
    /// Whatever the system says. The next piece is written over what may be left of this one.
    pub fn append(&mut self, piece: &[u8]) -> io::Result<()> {
        self.put(piece, true)
    }

    /// As [`append`](Self::append), but does not wait for the disk: for pieces that come often and are soon made again.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn append_unsynced(&mut self, piece: &[u8]) -> io::Result<()> {
        self.put(piece, false)
    }

    fn put(&mut self, piece: &[u8], sync: bool) -> io::Result<()> {
        // Unix goes on writing to a file that has no name any more, and nobody would ever see it.
        if self.path.try_exists().is_ok_and(|exists| !exists) {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the file was removed"));
        }
        if self.file.metadata()?.len() > self.length {
            self.cut(self.length)?;
        }
        let mut write = || {
            self.file.seek(SeekFrom::Start(self.length))?;
            if let Err(error) = faults::check(&self.path) {
                self.file.write_all(&piece[..piece.len() / 2])?;
                return Err(error);
            }
            self.file.write_all(piece)?;
            if sync { faults::check(&self.path).and_then(|()| self.file.sync_data()) } else { Ok(()) }
        };
        let written = write();
        match written {
            Ok(()) => self.length += piece.len() as u64,
            Err(_) => _ = self.cut(self.length),
        }
        written
    }
}

/// Writes that fail where a test wants them to.
#[doc(hidden)]
pub mod faults {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};

    struct Planned {
        folder: PathBuf,
        /// Steps until the one that fails.
        left: usize,
        lasts: bool,
        struck: bool,
    }

    /// All faults that are planned in this process.
    static PLANNED: Mutex<Vec<Planned>> = Mutex::new(Vec::new());
    /// How many they are: programs have none, and never lock.
    static COUNT: AtomicUsize = AtomicUsize::new(0);

    fn with<T>(act: impl FnOnce(&mut Vec<Planned>) -> T) -> T {
        act(&mut PLANNED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A fault of the disk below a folder, until it is dropped.
    #[derive(Debug)]
    pub struct Fault(PathBuf);

    impl Fault {
        /// Lets the step of this number, from 0, fail: to write, to sync or to rename a file below `folder`. If it
        /// `lasts`, so do all steps after it, as on a full disk.
        #[must_use]
        pub fn at(folder: &Path, left: usize, lasts: bool) -> Self {
            let folder = folder.to_owned();
            with(|planned| planned.push(Planned { folder: folder.clone(), left, lasts, struck: false }));
            COUNT.fetch_add(1, Ordering::SeqCst);
            Self(folder)
        }

        /// Whether the step has been reached.
        #[must_use]
        pub fn struck(&self) -> bool {
            with(|planned| planned.iter().any(|planned| planned.folder == self.0 && planned.struck))
        }
    }

    impl Drop for Fault {
        fn drop(&mut self) {
            COUNT.fetch_sub(1, Ordering::SeqCst);
            with(|planned| planned.retain(|planned| planned.folder != self.0));
        }
    }

    fn step(path: &Path, step: impl Fn(&mut Planned) -> bool) -> io::Result<()> {
        let fails = COUNT.load(Ordering::SeqCst) > 0
            && with(|planned| planned.iter_mut().filter(|planned| path.starts_with(&planned.folder)).any(step));
        if fails { Err(io::Error::new(io::ErrorKind::StorageFull, "No space left (a test)")) } else { Ok(()) }
    }

    /// A step.
    pub(super) fn check(path: &Path) -> io::Result<()> {
        step(path, |planned| {
            let fails = if planned.struck { planned.lasts } else { planned.left == 0 };
            planned.struck |= fails;
            planned.left = planned.left.saturating_sub(1);
            fails
        })
    }

    /// No step: it fails with those before it.
    pub(super) fn check_later(path: &Path) -> io::Result<()> {
        step(path, |planned| planned.struck && planned.lasts)
    }
}

/// The path that symbolic links lead to in the end, whether something is there or not.
fn target(path: &Path) -> io::Result<PathBuf> {
    // As many as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(known) if known.is_symlink() => {
                let next = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(next);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many links, or links in a circle"))
}

/// Gives a new file the owner, the group and the mode of the one that it takes the place of. Only root may give a file
/// to somebody else: then it stays ours.
#[cfg(unix)]
fn keep_access(file: &File, known: Option<&fs::Metadata>) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let (Some(known), new) = (known, file.metadata()?) else { return Ok(()) };
    if (new.uid(), new.gid()) != (known.uid(), known.gid()) {
        let _ = fchown(file, None, Some(known.gid()));
        let _ = fchown(file, Some(known.uid()), None);
    }
    // After the owner: giving a file away takes some bits of the mode.
    if new.mode() == known.mode() { Ok(()) } else { file.set_permissions(known.permissions()) }
}

#[cfg(not(unix))]
fn keep_access(_: &File, _: Option<&fs::Metadata>) -> io::Result<()> {
    Ok(())
}

/// The path of a file beside `path` whose name has `ending` behind it.
#[must_use]
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(ending);
    path.with_file_name(name)
}

/// Makes a folder, and those above it, where they are missing.
///
/// # Errors
///
/// If that fails; a file that stands there is named as such.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        kind @ (io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory) => {
            io::Error::new(kind, "a file is there, where a folder is wanted")
        }
        _ => error,
    })
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
pub const UTF_8_MARK: &[u8] = "\u{feff}".as_bytes();

/// The message about a text in UTF-16.
pub const UTF_16: &str = "this is UTF-16; save it as UTF-8";

/// Whether a text begins with a byte order mark of UTF-16.
pub fn is_utf_16(bytes: &[u8]) -> bool {
    [b"\xff\xfe", b"\xfe\xff"].iter().any(|mark| bytes.starts_with(*mark))
}

/// The text that the bytes of a whole file are, in UTF-8. A byte order mark before it is no part of it.
///
/// # Errors
///
/// [`io::ErrorKind::InvalidData`] with the line that is not UTF-8.
pub fn text(mut bytes: Vec<u8>) -> io::Result<String> {
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

/// A new file beside `path`, locked: as long as it is open nobody takes it for a leftover. Nobody may read it who may
/// not read the file that it takes the place of.
fn temporary(path: &Path, known: Option<&fs::Metadata>) -> io::Result<(File, PathBuf)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(known) = known {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        options.mode(known.mode() & 0o700);
    }
    #[cfg(not(unix))]
    let _ = known;
    let mut number = 0;
    loop {
        // Another machine may have a process of the same number that writes to the same folder.
        let temporary = beside(path, &format!(".{}-{number}{TEMPORARY}", std::process::id()));
        number += 1;
        let file = match options.open(&temporary) {
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
    static CLEARED: Lazy<Mutex<HashSet<PathBuf>>> = Lazy::new(Mutex::default);
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if undivided(|| CLEARED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned())) {
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
    fn a_write_that_fails_at_any_step_leaves_the_old_file_alone() {
        let folder = std::env::temp_dir().join(format!("hippolyta-faults-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a");
        write_whole(&path, b"old").unwrap();
        // It is written, and it is renamed.
        for (step, lasts) in [(0, false), (0, true), (1, false), (1, true)] {
            let fault = faults::Fault::at(&folder, step, lasts);
            assert_eq!(write_whole(&path, b"new").unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert!(fault.struck() && fs::read(&path).unwrap() == b"old");
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        }
        let fault = faults::Fault::at(&folder, 2, true);
        write_whole(&path, b"new").unwrap();
        assert!(!fault.struck() && fs::read(&path).unwrap() == b"new");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_piece_is_appended_whole_or_not_at_all_and_the_next_one_follows_the_last_whole_one() {
        let folder = std::env::temp_dir().join(format!("hippolyta-appended-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a");
        // It is written, and it is synced.
        for (step, lasts) in [(0, false), (0, true), (1, false), (1, true)] {
            fs::write(&path, b"one.torn").unwrap();
            let mut file = Appended::open(&path).unwrap();
            file.cut(4).unwrap();
            let fault = faults::Fault::at(&folder, step, lasts);
            assert!(file.append(b"longer.").is_err());
            // Where nothing can be written any more nothing can be taken back either.
            let left = fs::read(&path).unwrap();
            let torn: &[u8] = if !lasts {
                b""
            } else if step == 0 {
                b"lon"
            } else {
                b"longer."
            };
            assert_eq!((&left[..4], &left[4..]), (&b"one."[..], torn));
            drop(fault);
            file.append(b"2.").unwrap();
            file.append_unsynced(b"3.").unwrap();
            assert_eq!((fs::read(&path).unwrap(), file.length()), (b"one.2.3.".to_vec(), 8));
            fs::remove_file(&path).unwrap();
        }
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
        // A file that is just being written is not a leftover either.
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
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("hippolyta-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[cfg(unix)]
    #[test]
    fn what_did_not_reach_the_disk_replaces_nothing() {
        use std::os::fd::OwnedFd;
        let folder = folder("unsynced");
        let path = folder.join("a");
        let error = write_whole_with(&path, |file| {
            // No system brings a pipe to the disk.
            let (_, pipe) = io::pipe()?;
            *file = File::from(OwnedFd::from(pipe));
            Ok(())
        });
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_whether_they_lead_to_a_file_or_not() {
        use std::os::unix::fs::symlink;
        let folder = folder("links");
        fs::create_dir_all(folder.join("deep")).unwrap();
        let link = |name: &str, to: &str| {
            symlink(to, folder.join(name)).unwrap();
            folder.join(name)
        };
        fs::write(folder.join("file"), b"old").unwrap();
        fs::write(folder.join("deep/file"), b"old").unwrap();
        for (link, file) in [
            (link("absolute", folder.join("file").to_str().unwrap()), "file"),
            (link("relative", "file"), "file"),
            (link("deeper", "deep/file"), "deep/file"),
            (link("deep/chain", "../deeper"), "deep/file"),
            (link("dangling", "new"), "new"),
            (link("deep/to-dangling", "../dangling2"), "deep/newer"),
        ] {
            if file == "deep/newer" {
                symlink("deep/newer", folder.join("dangling2")).unwrap();
            }
            write_whole(&link, file.as_bytes()).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{link:?}");
            assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), file, "{link:?}");
        }
        // An error of writing is one line, and nothing is changed or left behind.
        link("circle", "circle2");
        link("circle2", "circle");
        link("nowhere", "missing/file");
        let error = |name: &str| write_whole(&folder.join(name), b"x").unwrap_err().to_string();
        assert_eq!(error("circle"), "too many links, or links in a circle");
        assert_eq!(error("deep"), "a folder, not a file");
        assert!(error("nowhere").starts_with("No such file or directory"));
        assert!(fs::symlink_metadata(folder.join("nowhere")).unwrap().is_symlink());
        let left = fs::read_dir(&folder).unwrap().flatten();
        assert!(!left.into_iter().any(|entry| entry.file_name().to_string_lossy().ends_with(TEMPORARY)));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn modes_stay_as_they_were_and_nobody_reads_more_meanwhile() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = folder("modes");
        let path = folder.join("a");
        write_whole(&path, b"first").unwrap();
        let usual = fs::metadata(&path).unwrap().mode();
        fs::write(folder.join("plain"), b"").unwrap();
        assert_eq!(usual, fs::metadata(folder.join("plain")).unwrap().mode());
        for mode in [0o600, 0o640, 0o666, 0o444, 0o755, 0o400] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            write_whole_with(&path, |file| {
                let meanwhile = file.metadata()?.mode() & 0o777;
                assert!(meanwhile & !mode == 0 && meanwhile & 0o077 == 0, "{meanwhile:o} of {mode:o}");
                file.write_all(format!("{mode:o}").as_bytes())
            })
            .unwrap();
            assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, mode);
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{mode:o}"));
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_takes_no_files_leaves_the_old_one_as_it_was() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("closed");
        let path = folder.join("a");
        write_whole(&path, b"old").unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
        // Root may write anywhere.
        if let Err(error) = write_whole(&path, b"new") {
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
            assert_eq!(fs::read(&path).unwrap(), b"old");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
