//! Folders for files that tests write.

use std::fs;
use std::path::PathBuf;

/// A folder that goes away with the test.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty one; `name` tells it from those of other tests.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hippolyta-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
