"""The commands `backup` and `restore`; each returns the sentence that it prints at its end."""

from server.backup.backup_file import check_backup, written
from server.backup.saved_rooms import restore, save
from server.config import BackupOptions, RestoreOptions
from server.store import Store, StoreError, StoreFull, StoreUnusable


async def back_up(options: BackupOptions) -> str:
    """Write all rooms of a store to a file.

    Raises:
        BadBackup: the file cannot be written.
        StoreUnusable, StoreTooOld: the store cannot be used, or did not answer.
    """
    store = await Store.attach(options, create=False)
    try:
        with written(options.file, store.clock.now()) as writer:
            unreadable = await save(store, writer)
    except StoreError as error:
        raise StoreUnusable(f"The backup was given up, no file was written: {error}") from error
    finally:
        await store.close()
    missing = f" {_rooms(len(unreadable))} could not be read: {', '.join(unreadable)}."
    return f"{_rooms(writer.rooms)} in {options.file}.{missing if unreadable else ''}"


async def put_back(options: RestoreOptions) -> str:
    """Put the rooms of a backup into a store.

    Raises:
        BadBackup: the file is no whole backup.
        RoomsExist: some of the rooms are there already, and that is refused.
        StoreUnusable, StoreTooOld: the store cannot be used, has no space, or did not answer.
    """
    codes = check_backup(options.file)  # before a store is started
    store = await Store.attach(options, create=True)
    try:
        restored = await restore(store, options.file, codes, options.existing)
    except StoreFull as error:
        raise StoreUnusable(
            "The store has no memory for all rooms of the backup; give it more, and restore again "
            "with --existing keep."
        ) from error
    except StoreError as error:
        raise StoreUnusable(
            f"The restore was interrupted, go on with --existing keep: {error}"
        ) from error
    finally:
        await store.close()
    kept = f" {_rooms(restored.kept)} stayed as they were." if restored.kept else ""
    return f"{_rooms(restored.written)} restored from {options.file}.{kept}"


def _rooms(count: int) -> str:
    return "1 room" if count == 1 else f"{count} rooms"
