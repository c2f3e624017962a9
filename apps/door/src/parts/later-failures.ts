import type { Key } from '../texts/texts.js';

/** Failures of actions that have a sentence of their own, by their codes. */
export const laterFailures: Readonly<Record<string, Key>> = {
  'pairing.unknown': 'errors.pairingUnknown',
  'pairing.spent': 'errors.pairingSpent',
  'pairing.expired': 'errors.pairingExpired',
  'pairing.full': 'errors.pairingFull',
  'pairing.refused': 'errors.pairingRefused',
  'pairing.none': 'errors.noCode',
  'rate.limited': 'errors.tooMany',
  'device.permission': 'errors.permission',
  'event.unknown': 'errors.eventUnknown',
  gone: 'errors.gone',
  unsent: 'errors.unsent',
  other_device: 'reasons.other_device',
};
