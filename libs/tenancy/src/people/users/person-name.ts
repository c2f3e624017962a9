import { isVisible, RefusedInput, refuseUnfitTexts } from '#kernel';
import { texts } from '../../locales/tenancy.texts.js';

/** Refuses the name that a person chooses for a new account. @throws RefusedInput on `name` */
export function refuseUnfitName(name: string): void {
  refuseUnfitTexts({ name }, { name: 200 });
  if (!isVisible(name)) throw new RefusedInput('name', texts.localized('invitations.refused.nameMissing'));
}
