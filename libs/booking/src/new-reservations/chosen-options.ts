import { RefusedInput, type Text } from '#kernel';
import type { Tx } from '#tenancy';
import type { OfferedOption } from '../inventory/offers.js';
import { texts } from '../locales/booking.texts.js';

/**
 * The options that a buyer chose, each once, in the order in which they are offered.
 * @param offered the options that the offer found by UUID or name
 * @param wanted UUIDs or names of published options of the event
 * @throws RefusedInput on `options`
 */
export function chosenOptions(offered: readonly OfferedOption[], wanted: readonly string[]): OfferedOption[] {
  const chosen = new Set(wanted.map((text) => optionOf(offered, text)));
  const options = offered.filter((option) => chosen.has(option));
  if (options.filter(({ kind }) => kind === 'radio').length > 1) throw refused(onlyOne);
  return options;
}

/**
 * Reads, locks and stores the options that a buyer chose, for a reservation that exists already.
 * @param wanted UUIDs or names of published options of the event
 * @throws RefusedInput on `options`
 */
export async function chooseOptions(tx: Tx, reservationId: string, eventId: string, wanted: readonly string[]): Promise<void> {
  if (wanted.length === 0) return;
  // Locked until the commit, so that the options cannot be deleted meanwhile.
  const offered = await tx.query<OfferedOption[]>(
    `select id, name, kind from event_option where event_id = $1 and published and (id::text = any($2) or name = any($3))
     order by id for key share`,
    [eventId, wanted.map((text) => text.toLowerCase()), wanted],
  );
  const chosen = chosenOptions(offered, wanted);
  await tx.query(
    'insert into reservation_option (reservation_id, option_id, name) select $1::uuid, * from unnest($2::uuid[], $3::text[])',
    [reservationId, chosen.map(({ id }) => id), chosen.map(({ name }) => name)],
  );
}

/** Finds an option by UUID or name. A name is ambiguous when a radio and a checkbox option share it. */
function optionOf(offered: readonly OfferedOption[], text: string): OfferedOption {
  const byId = offered.find(({ id }) => id === text.toLowerCase());
  if (byId) return byId;
  const [named, another] = offered.filter(({ name }) => name === text);
  if (!named) throw refused(unknown);
  if (another) throw refused(ambiguous);
  return named;
}

const refused = (text: Text): RefusedInput => new RefusedInput('options', text);

const unknown: Text = texts.localized('chosenOptions.unknown');
const ambiguous: Text = texts.localized('chosenOptions.ambiguous');
const onlyOne: Text = texts.localized('chosenOptions.onlyOne');
