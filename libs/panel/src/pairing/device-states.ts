import type { PanelTone } from '#panel-kit';

/** States of a scanning device with their colours. */
export const deviceTones = {
  waiting: 'waiting',
  expired: 'bad',
  paired: 'good',
  locked: 'waiting',
  wiped: 'bad',
  archived: 'quiet',
} as const satisfies Readonly<Record<string, PanelTone>>;

export type DeviceState = keyof typeof deviceTones;
export const deviceStates = Object.keys(deviceTones) as readonly DeviceState[];

/** SQL of the state of the scanning device with this alias. */
export const deviceState = (device: string): string =>
  `case when ${device}.archived_at is not null then 'archived' when ${device}.wiped_at is not null then 'wiped'
    when ${device}.claimed_at is not null and ${device}.locked_at is not null then 'locked'
    when ${device}.claimed_at is not null then 'paired'
    when ${device}.pairing_expires_at > now() then 'waiting' else 'expired' end`;
