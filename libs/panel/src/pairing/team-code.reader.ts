import type { TeamCodesService } from '#scan';
import type { TenantDb } from '#tenancy';
import type { ViewOf } from '#panel-kit';
import { currentPanelRequest, qrPicture } from '#panel-kit';
import { deviceState, type DeviceState } from './device-states.js';

/** Phones of one code that are listed at most; a code has 500 places. */
const mostDevices = 600;

/** A phone that a team code paired. */
export interface TeamDevice {
  readonly id: string;
  readonly name: string;
  readonly state: DeviceState;
  readonly pairedAt: Date | null;
}

/** The phones of a team code, in the order in which they came. */
export function devicesOf(db: TenantDb, teamCodeId: string): Promise<TeamDevice[]> {
  return db.transaction((tx) =>
    tx.query<TeamDevice[]>(
      `select device.id, device.name, ${deviceState('device')} as state, device.claimed_at as "pairedAt" from scanning_device device
       where device.team_code_id = $1 order by device.created_at, device.id limit ${mostDevices}`,
      [teamCodeId],
    ),
  );
}

/** The address that pairs a phone. The scanner takes the code from the fragment, which no server and no link preview sees. */
export const pairingAddress = (code: string): string => `${currentPanelRequest().origin}/door/#pair=${code}`;

/** The view of the component `TeamCode`: the code, and how many phones used it. `over`: it pairs no more phones. */
export async function teamCodeView(db: TenantDb, codes: TeamCodesService, id: string) {
  const [shown, [overview]] = [await codes.show(id), await codes.overview({ id })];
  if (!shown || !overview) return { state: 'over' as const };
  const address = pairingAddress(shown.code);
  const devices = await devicesOf(db, id);
  return {
    state: 'open' as const,
    code: shown.code,
    address,
    picture: await qrPicture(address),
    expiresAt: shown.expiresAt.toISOString(),
    places: overview.places,
    taken: overview.taken,
    devices: devices.map(({ id: deviceId, name, state, pairedAt }) => ({ id: deviceId, name, state, at: pairedAt?.toISOString() ?? null })),
  };
}

/** The view of the component `TeamCode`. */
export type TeamCodeView = ViewOf<typeof teamCodeView>;
