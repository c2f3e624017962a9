import type { Phone } from './phone.js';

/** Everything in the database of a phone, as a dump of its storage would show it. */
export async function dump(phone: Phone): Promise<string> {
  const { name } = phone.engine.door.db;
  const db = await new Promise<IDBDatabase>((done) => {
    const opening = indexedDB.open(name);
    opening.addEventListener('success', () => done(opening.result));
  });
  let text = '';
  for (const store of db.objectStoreNames) {
    const rows = await new Promise<unknown[]>((done) => {
      const reading = db.transaction(store).objectStore(store).getAll();
      reading.addEventListener('success', () => done(reading.result));
    });
    for (const row of rows)
      for (const value of Object.values(row as object))
        text +=
          value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? Buffer.from(value as Uint8Array).toString('latin1') : String(value);
  }
  db.close();
  return text;
}

/** Everything that the phone stores, read with the keys that lie beside it. */
export async function decrypted({ engine }: Phone): Promise<string> {
  const { db, dataVault, journalVault } = engine.door;
  const stores = ['files', 'deltas', 'entries', 'intents'] as const;
  const rows = await db.read([...stores], async (tx) => {
    const found = await Promise.all(stores.map((store) => tx.objectStore(store).getAll()));
    return found.flat();
  });
  const texts = await Promise.all(rows.flatMap((row) => [dataVault.open(row), journalVault.open(row)]));
  return texts.filter((text) => text !== null).join('\n');
}

/** Waits until a file of a phone is on disk as wanted. @throws Error when it is not within ten seconds */
export async function untilStored(
  { engine }: Phone,
  name: string,
  is = (content: unknown): boolean => content !== undefined,
): Promise<void> {
  for (const end = performance.now() + 10_000; !is(await engine.door.files.read(name));) {
    if (performance.now() > end) throw new Error(`${name} was not stored`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
