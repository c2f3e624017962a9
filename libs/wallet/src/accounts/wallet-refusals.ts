import { texts } from '../locales/wallet.texts.js';

/** Why certificates and keys are refused. */
export const walletRefusals = {
  tooLong: texts.localized('accounts.tooLong'),
  passTypeInvalid: texts.localized('accounts.passTypeInvalid'),
  teamInvalid: texts.localized('accounts.teamInvalid'),
  certificateInvalid: texts.localized('accounts.certificateInvalid'),
  otherPassType: texts.localized('accounts.otherPassType'),
  otherTeam: texts.localized('accounts.otherTeam'),
  keyInvalid: texts.localized('accounts.keyInvalid'),
  otherKey: texts.localized('accounts.otherKey'),
  otherAuthority: texts.localized('accounts.otherAuthority'),
  expired: texts.localized('accounts.expired'),
  issuerInvalid: texts.localized('accounts.issuerInvalid'),
  serviceAccountInvalid: texts.localized('accounts.serviceAccountInvalid'),
} as const;
