import { texts } from '../../locales/tenancy.texts.js';
import { permissionNouns, permissions, type PermissionLevels } from './permissions.js';

const everything = Object.fromEntries(permissionNouns.map((noun) => [noun, permissions[noun].at(-1)])) as PermissionLevels;

/** The roles that every venue has. */
export const presets = {
  direction: everything,
  programming: { event: 'change', product: 'change', code: 'change', figures: 'see', profile: 'see', place: 'see' },
  // Sells, and sees neither the payments nor the refunds of all. A venue that allows refunds makes its own role.
  boxOffice: {
    event: 'see',
    reservation: 'sell',
    ticket: 'change',
    membership: 'change',
    figures: 'see',
    money: 'see',
    contact: 'see',
    door: 'follow',
  },
  doorManager: { event: 'see', reservation: 'checkIn', ticket: 'see', figures: 'see', door: 'set' },
  accounting: {
    event: 'see',
    reservation: 'see',
    ticket: 'see',
    membership: 'see',
    figures: 'see',
    money: 'see',
    payment: 'change',
    refund: 'give',
    paymentAccount: 'see',
    export: 'download',
  },
  communication: { event: 'see', figures: 'see', mail: 'write', contact: 'see', profile: 'see' },
  readOnly: {
    event: 'see',
    product: 'see',
    reservation: 'see',
    ticket: 'see',
    membership: 'see',
    figures: 'see',
    money: 'see',
    payment: 'see',
    refund: 'see',
    door: 'follow',
    profile: 'see',
    place: 'see',
  },
  coOrganiser: { event: 'see', figures: 'see' },
} as const satisfies Readonly<Record<string, PermissionLevels>>;

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];
export const isPreset = (name: string): name is PresetName => Object.hasOwn(presets, name);

/** Roles that are given for chosen events only. */
export const eventsOnly: ReadonlySet<string> = new Set<PresetName>(['coOrganiser']);

/** Label and help of each preset. */
export const presetWords = texts.perLanguage('roles.presets', ({ words }) => words);
