import { emailFault, refuseUnfitName } from '#tickets';
import { hasAddress, isVisible, RefusedInput, RefusedInputs, refuseUnfitText } from '#kernel';
import { texts } from '../locales/holders.texts.js';

/** The name on a ticket. */
export interface TicketName {
  readonly firstName: string;
  readonly lastName: string;
}

/** The person who is to get a ticket. */
export interface NewHolder extends TicketName {
  readonly email: string;
  /** Words of the giver; default: none. */
  readonly message?: string;
}

/** Maximum length of the words of a giver: a greeting, because they are sent to an address that nobody has confirmed. */
export const longestGiftMessage = 200;

interface CheckedHolder {
  readonly name: TicketName;
  readonly email: string;
  readonly message: string | null;
}

/** @throws RefusedInputs with every fault, so that a form shows all of them at once */
export function checkedHolder({ email: typed, message: words = '', ...to }: NewHolder): CheckedHolder {
  const email = typed.trim();
  const faults: RefusedInput[] = [];
  const checked = <Value>(check: () => Value): Value | undefined => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const invalid = emailFault(email);
  if (invalid) faults.push(invalid);
  const name = checked(() => checkedName(to, true));
  const message = checked(() => checkedMessage(words));
  if (faults.length > 0 || !name || message === undefined) throw new RefusedInputs(faults);
  return { name, email, message };
}

/** @param isRequired without a name, the ticket would show that of the buyer @throws RefusedInput on `firstName`, `lastName` */
export function checkedName(name: TicketName, isRequired: boolean): TicketName {
  const [firstName, lastName] = [name.firstName.trim(), name.lastName.trim()];
  refuseUnfitName({ firstName, lastName });
  if (isRequired && !isVisible(firstName + lastName)) throw new RefusedInput('firstName', texts.localized('transfers.nameMissing'));
  return { firstName, lastName };
}

/** Plain text without addresses, because it reaches people who did not ask for it. @throws RefusedInput on `message` */
function checkedMessage(typed: string): string | null {
  const message = typed.replaceAll(/\r\n?/g, '\n').trim();
  refuseUnfitText('message', message, longestGiftMessage);
  // A slash between words is no address: `7/8 o'clock`.
  if (hasAddress(message.replaceAll(/(?<!\/)\/(?!\/)/g, ' ')))
    throw new RefusedInput('message', texts.localized('transfers.addressInMessage'));
  return isVisible(message) ? message : null;
}
