import { isEmail, RefusedInput } from '#kernel';
import { longestPem, readRsaKey } from './private-keys.js';
import { walletRefusals } from './wallet-refusals.js';

/** What a venue gets from Google to sign links, as it is typed. */
export interface TypedGoogle {
  readonly issuerId: string;
  /** The file of a key of a service account: JSON with `client_email` and `private_key`. */
  readonly serviceAccount: string;
}

/** What signs links to Google Wallet. */
export interface GoogleCredentials {
  readonly issuerId: string;
  readonly email: string;
  /** PEM */
  readonly privateKey: string;
}

/** Longer addresses would leave no room for the ticket in the link; those of service accounts have up to 85 characters. */
const longestAddress = 100;

/** @throws RefusedInput on `issuerId` or `serviceAccount` */
export function fitGoogle({ issuerId: typedId, serviceAccount }: TypedGoogle): GoogleCredentials {
  const issuerId = typedId.trim();
  if (!/^\d{10,20}$/.test(issuerId)) throw new RefusedInput('issuerId', walletRefusals.issuerInvalid);
  if (serviceAccount.length > longestPem) throw new RefusedInput('serviceAccount', walletRefusals.tooLong);
  const { type, client_email: email, private_key: pem } = membersOf(serviceAccount);
  const isAccount = type === 'service_account' && typeof email === 'string' && email.length <= longestAddress && isEmail(email);
  const key = isAccount && typeof pem === 'string' ? readRsaKey(pem) : undefined;
  // A larger key makes a longer signature, which leaves no room for the ticket.
  if (!isAccount || key?.asymmetricKeyDetails?.modulusLength !== 2048)
    throw new RefusedInput('serviceAccount', walletRefusals.serviceAccountInvalid);
  return { issuerId, email, privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function membersOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
