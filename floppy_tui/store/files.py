"""Safe reading of files that others write, and the directory-bound steps every write is made of.

Nothing here follows a symbolic link, blocks on a pipe or writes through a path: a file is a name in
an opened directory, so a directory swapped for a link in the meantime leads nowhere.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import TracebackType

LIMIT = 64 << 20
"""The largest file that is read, in bytes."""

TEMPORARY = ".floppy-tui-"
"""How the name of each temporary of ours begins; watchers ignore such names."""

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_ATTEMPTS = 5
_CHUNK = 1 << 20

_SAID = {
    "symlink": "is a symbolic link, which is never followed; put the real thing in its place",
    "directory": "is a directory where a file belongs; move it away",
    "not-a-directory": "is not a directory, though a file is expected below it; move it away",
    "fifo": "is a named pipe where a file belongs; remove it",
    "not-regular": "is a device or socket where a file belongs; remove it",
    "unreadable": "is not accessible: permission denied; check its owner and mode",
    "too-large": "is larger than {detail} bytes and is not read; split it",
    "changing": "keeps changing while it is read; try again when its writer is done",
    "vanished": "vanished while it was in use; reload and look what is there",
    "exists": "appeared while it was about to be created; reload and look what is there",
    "no-space": "cannot be written, because the disk is full; free some space and try again",
    "read-only": "lies on a read-only file system; make it writable and try again",
    "outside": "does not lie below {detail}, so it is not touched; correct the path",
    "io-error": "could not be read or written ({detail}); check the disk and try again",
}
_WHAT = {
    errno.ELOOP: "symlink",
    errno.EISDIR: "directory",
    errno.ENOTDIR: "not-a-directory",
    errno.EACCES: "unreadable",
    errno.EPERM: "unreadable",
    errno.ENOENT: "vanished",
    errno.ESTALE: "vanished",
    errno.EEXIST: "exists",
    errno.ENOSPC: "no-space",
    errno.EDQUOT: "no-space",
    errno.EROFS: "read-only",
}
_CANNOT_LINK = {errno.EPERM, errno.EXDEV, errno.EMLINK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
_CANNOT_SWAP = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


class StoreError(Exception):
    """Whatever the disk edge cannot do; its ``str`` is one sentence for the captain."""


class Refusal(StoreError):
    """A path that is not read or not written, and why: what, where, and what to do about it."""

    def __init__(self, path: Path, what: str, detail: str = "") -> None:
        super().__init__(path, what, detail)

    @property
    def path(self) -> Path:
        """The file or directory that the refusal is about."""
        path: Path = self.args[0]
        return path

    @property
    def what(self) -> str:
        """The kebab-case name of the refusal, such as ``symlink`` or ``no-space``."""
        return str(self.args[1])

    @classmethod
    def of(cls, error: OSError, path: Path) -> Refusal:
        """The refusal that says what the system error ``error`` on ``path`` means."""
        what = _WHAT.get(error.errno or 0, "io-error")
        where = path.parent if what == "not-a-directory" else path
        return cls(where, what, error.strerror or "unknown error")

    def __str__(self) -> str:
        return f"{shown(self.path)} {_SAID[self.what].format(detail=self.args[2])}"


def shown(path: Path) -> str:
    """``path`` for a sentence: characters that do not print are spelled as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(path))


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Turn every ``OSError`` of the block into the ``Refusal`` about ``path``."""
    try:
        yield
    except OSError as error:
        raise Refusal.of(error, path) from error


def _kind_refused(mode: int) -> str | None:
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISLNK(mode):
        return "symlink"
    if stat.S_ISDIR(mode):
        return "directory"
    return "fifo" if stat.S_ISFIFO(mode) else "not-regular"


def read_regular(path: Path, *, limit: int = LIMIT) -> bytes | None:
    """The bytes of the regular file ``path``, or None where it is absent; raises ``Refusal``.

    A link, pipe, device or directory is refused by name, and so is a file of more than ``limit``
    bytes or one that changed during each of several readings.
    """
    return _read(str(path), None, path, limit)


def _read(name: str, directory: int | None, path: Path, limit: int) -> bytes | None:
    for _ in range(_ATTEMPTS):
        try:
            data = _read_once(name, directory, path, limit)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Refusal.of(error, path) from error
        if data is not None:
            return data
    raise Refusal(path, "changing")


def _read_once(name: str, directory: int | None, path: Path, limit: int) -> bytes | None:
    """The bytes, or None where the file changed during the reading."""
    # Looked at before it is opened: opening a device can have effects of its own.
    found = os.stat(name, dir_fd=directory, follow_symlinks=False)
    refused = _kind_refused(found.st_mode)
    if refused:
        raise Refusal(path, refused)
    fd = os.open(name, _READ, dir_fd=directory)
    try:
        return read_open(fd, path, limit)
    finally:
        os.close(fd)


def read_open(fd: int, path: Path, limit: int = LIMIT) -> bytes | None:
    """All bytes of the opened regular file ``fd``, or None where it changed during the reading."""
    before = os.fstat(fd)
    refused = _kind_refused(before.st_mode)
    if refused:
        raise Refusal(path, refused)
    if before.st_size > limit:
        raise Refusal(path, "too-large", str(limit))
    chunks = []
    size = 0
    while size <= limit:
        chunk = os.pread(fd, _CHUNK, size)
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
    else:
        raise Refusal(path, "too-large", str(limit))
    after = os.fstat(fd)
    same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return b"".join(chunks) if same and size == after.st_size else None


def below(path: Path, roots: Sequence[Path]) -> tuple[Path, tuple[str, ...]]:
    """The one of ``roots`` that ``path`` lies under, and the names from there down to it.

    Raises ``Refusal`` (``outside``) on a relative path, on ``..``, and on a path under none.
    """
    if path.is_absolute() and ".." not in path.parts:
        for root in sorted(roots, key=lambda r: len(r.parts), reverse=True):
            if path != root and path.is_relative_to(root):
                return root, path.relative_to(root).parts
    raise Refusal(path, "outside", " or ".join(shown(root) for root in roots))


class Directory:
    """An opened directory: every step on a name in it stays in it, whatever its path becomes.

    Steps raise ``Refusal`` where a name is not what a file of ours may be, else ``OSError``.
    """

    __slots__ = ("fd", "path")

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self.fd = fd

    @classmethod
    def open(cls, root: Path, names: Sequence[str] = (), *, create: bool = False) -> Directory:
        """The directory reached from ``root`` by ``names``, none of them a link; raises ``Refusal``.

        ``root`` must be a resolved path. Missing ones below it are made (0700) where ``create``.
        """
        if os.path.realpath(root) != str(root):
            raise Refusal(root, "symlink")
        with refusing(root):
            fd = os.open(root, _DIRECTORY)
        path = root
        for name in names:
            path = path / name
            try:
                if create:
                    _make(name, fd)
                inner = _open_inner(name, fd, path)
            finally:
                os.close(fd)
            fd = inner
        return cls(path, fd)

    def __enter__(self) -> Directory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the descriptor back; closing twice does nothing."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def names(self) -> list[str]:
        """The names in it, sorted."""
        return sorted(os.listdir(self.fd))

    def status(self, name: str) -> os.stat_result | None:
        """What stands at ``name`` (a link is not followed), or None."""
        try:
            return os.stat(name, dir_fd=self.fd, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, name: str, *, limit: int = LIMIT) -> bytes | None:
        """Like ``read_regular``, for ``name`` in this directory."""
        return _read(name, self.fd, self.path / name, limit)

    @contextmanager
    def opened(self, name: str) -> Iterator[int]:
        """The file ``name`` opened for reading; it stays that file when the name goes to another."""
        fd = os.open(name, _READ, dir_fd=self.fd)
        try:
            yield fd
        finally:
            os.close(fd)

    def create(
        self, name: str, data: bytes, *, like: os.stat_result | None = None, mode: int = 0o600
    ) -> None:
        """Make the file ``name`` of ``data``, down to the disk; mode and owner as ``like``, or ``mode``."""
        fd = os.open(name, _CREATE, 0o600, dir_fd=self.fd)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
            if like is not None:
                mode = stat.S_IMODE(like.st_mode)
                if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
                    # Only root may give a file away; for anyone else the mode is what can be kept.
                    with suppress(PermissionError):
                        os.fchown(fd, like.st_uid, like.st_gid)
            os.fchmod(fd, mode)
            os.fsync(fd)
        except BaseException:
            with suppress(OSError):
                os.unlink(name, dir_fd=self.fd)
            raise
        finally:
            os.close(fd)

    def replace(self, name: str, data: bytes) -> None:
        """Put ``data`` at ``name`` in one step, its mode kept or 0600; raises ``Refusal`` on a non-file.

        For files of which we are the only writer: what stood there is not compared.
        """
        found = self.status(name)
        refused = _kind_refused(found.st_mode) if found else None
        if refused:
            raise Refusal(self.path / name, refused)
        staged = f"{TEMPORARY}{os.getpid()}-{os.urandom(4).hex()}.tmp"
        self.create(staged, data, like=found)
        try:
            self.move(staged, name)
        except BaseException:
            with suppress(OSError):
                self.remove(staged)
            raise
        self.sync()

    def move(self, name: str, to: str) -> None:
        """Rename ``name`` to ``to``, over whatever is there."""
        os.rename(name, to, src_dir_fd=self.fd, dst_dir_fd=self.fd)

    def link(self, name: str, to: str, into: Directory | None = None) -> bool:
        """Give the file ``name`` a second name ``to``; False where no hard link is possible.

        Raises ``FileExistsError`` where ``to`` exists: this is how a file is created over nothing.
        """
        other = self.fd if into is None else into.fd
        try:
            os.link(name, to, src_dir_fd=self.fd, dst_dir_fd=other, follow_symlinks=False)
        except OSError as error:
            if error.errno in _CANNOT_LINK:
                return False
            raise
        return True

    def remove(self, name: str) -> None:
        """Remove the file ``name``, if it is there."""
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.fd)

    def writable(self, name: str) -> bool:
        """Whether the mode of ``name`` lets us write it: a file that is replaced would not ask."""
        return os.access(name, os.W_OK, dir_fd=self.fd)

    def make(self, name: str) -> None:
        """Make the directory ``name`` (0700), if it is not there."""
        _make(name, self.fd)

    def add(self, name: str) -> None:
        """Make the directory ``name`` (0700) over nothing, not yet brought down to the disk."""
        os.mkdir(name, 0o700, dir_fd=self.fd)

    def sync(self) -> None:
        """Bring the names in it down to the disk."""
        os.fsync(self.fd)


def _make(name: str, fd: int) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=fd)
    except FileExistsError:
        return
    os.fsync(fd)


def _open_inner(name: str, fd: int, path: Path) -> int:
    try:
        return os.open(name, _DIRECTORY, dir_fd=fd)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            with suppress(FileNotFoundError):
                found = os.stat(name, dir_fd=fd, follow_symlinks=False)
                what = "symlink" if stat.S_ISLNK(found.st_mode) else "not-a-directory"
                raise Refusal(path, what) from error
            raise Refusal(path, "vanished") from error
        raise Refusal.of(error, path) from error


def parent(path: Path, roots: Sequence[Path]) -> Directory:
    """The directory of ``path`` opened, reached from its root without a link; raises ``Refusal``."""
    root, names = below(path, roots)
    return Directory.open(root, names[:-1])


def read_below(path: Path, roots: Sequence[Path]) -> bytes | None:
    """Like ``read_regular``, for a path that must be reached from its root without a link."""
    try:
        directory = parent(path, roots)
    except Refusal as refusal:
        if refusal.what == "vanished":
            return None
        raise
    with directory:
        return directory.read(path.name)


@cache
def _renameat2() -> Callable[..., int] | None:
    import ctypes

    return getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)


def exchange(directory: Directory, name: str, other: str) -> bool:
    """Swap two names of a directory in one step; False where the system cannot.

    This is what lets a write see exactly what it displaced. Python has no call of its own for it.
    """
    call = _renameat2()
    if call is None:
        return False
    import ctypes

    fd, swap = directory.fd, 2
    if call(fd, os.fsencode(name), fd, os.fsencode(other), ctypes.c_uint(swap)) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT_SWAP:
        return False
    raise OSError(code, os.strerror(code), name)
