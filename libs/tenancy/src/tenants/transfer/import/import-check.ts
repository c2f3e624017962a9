import { latestTenant } from '../../../migrations/index.js';
import type { SealedColumnsService } from '../sealed-columns.service.js';
import { sharedStreams, tablesThatStay } from '../format/shared-streams.js';
import type { TableShape } from '../format/table-catalog.js';
import { TransferError } from '../format/transfer-error.js';
import type { ExportHeader } from '../format/transfer-format.js';

/** @throws TransferError for a file of a newer program, and for Root */
export function refuseUnfitHeader(header: ExportHeader): void {
  const { schemaVersion, tenant, streams } = header;
  if (schemaVersion > latestTenant)
    throw new TransferError(
      `The file was written at version ${schemaVersion}, this program knows ${latestTenant}: install the newer Guichet.`,
    );
  if (schemaVersion < 1) throw unfit();
  if (tenant.category === 'R') throw new TransferError('Root belongs to its server and is not imported.');
  // A sealed value is bound to its tenant.
  if (streams.some(({ sealed }) => sealed.some(({ purpose }) => !purpose.includes(tenant.id)))) throw unfit();
  const shared = streams.filter(({ name }) => name.startsWith('shared.'));
  const known = sharedStreams.map(({ name, columns }) => [name, columns]);
  if (JSON.stringify(shared.map(({ name, columns }) => [name, columns])) !== JSON.stringify(known)) throw unfit();
}

/**
 * Checks that the file has exactly these tables and columns, and marks every sealed column.
 * @throws TransferError otherwise
 */
export function refuseOtherTables(header: ExportHeader, shapes: readonly TableShape[], sealed: SealedColumnsService): void {
  const expected = shapes.filter(({ table }) => tablesThatStay[table] === undefined);
  const own = new Map(header.streams.map((stream) => [stream.name, stream]));
  const fits =
    header.streams.filter(({ name }) => name.startsWith('tenant.')).length === expected.length &&
    expected.every(({ table, columns }) => {
      const stream = own.get(`tenant.${table}`);
      const marked = new Set(stream?.sealed.map(({ column }) => column));
      const toSeal = sealed.all().filter((one) => one.table === table && columns.includes(one.column));
      return stream?.columns.toSorted().join() === columns.toSorted().join() && toSeal.every(({ column }) => marked.has(column));
    });
  const identities = new Set(shapes.map(({ table }) => table));
  if (!fits || header.sequences.some(({ table }) => !identities.has(table))) throw unfit();
}

function unfit(): TransferError {
  return new TransferError('The tables of the file are not those of its version: it was changed, or written by another program.');
}
