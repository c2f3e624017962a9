import { sha256, toBase64url, utf8 } from '../../codes/bytes.js';
import type { PublicJwk } from '../../codes/key-ring.js';
import type { Credentials } from '../../door/context.js';
import type { Door } from '../../door/door.js';
import { NoAnswer } from '../../network/api.js';
import { problemDetail, refusalCode } from '../../network/problems.js';
import { installationFile, quarantineFile } from '../../session/ending.js';
import type { Session } from '../../session/session.js';
import { writeTogether } from '../../storage/files.js';
import { DoorError, type Role } from '../../types.js';
import { maySearch } from '../search.js';

const timeout = 15_000;
/** The server takes no longer names of phones. */
const longestLabel = 60;

/** What the server gave a phone. */
interface Paired {
  readonly credentials: Credentials;
  readonly keys: readonly PublicJwk[];
  readonly quarantineToken: string;
}

interface PairBody {
  readonly api_key: string;
  readonly device_uuid: string;
  readonly device_name: string;
  readonly tenant_name: string;
  readonly role?: Role;
  readonly event?: string | null;
  readonly gate?: string | null;
  readonly quarantine_token?: string;
  readonly keys?: readonly PublicJwk[];
}

/** What the server gives the phone, and later changes of it. */
export class CredentialsKeeper {
  constructor(
    private readonly door: Door,
    private readonly session: Session,
  ) {}

  /**
   * Spends a pairing token or a team code. Nothing is remembered yet.
   * @throws DoorError with the problem's code; `offline`
   */
  async ask(code: string, label?: string): Promise<Paired> {
    const { door } = this;
    const installation = await this.installation();
    const body = { code: code.trim(), installation, ...(label && { label: label.slice(0, longestLabel) }) };
    const answer = await door.api.post('/scan/pair/', { body, timeout, authorization: null }).catch((error: unknown) => {
      throw error instanceof NoAnswer ? new DoorError('offline') : error;
    });
    const paired = answer.body as Partial<PairBody>;
    if (answer.status !== 200 || !paired.api_key || !paired.device_uuid) throw new DoorError(refusalCode(answer), problemDetail(answer));
    const credentials = {
      apiKey: paired.api_key,
      holder: crypto.randomUUID(),
      deviceId: paired.device_uuid,
      deviceName: paired.device_name ?? '',
      tenantName: paired.tenant_name ?? '',
      timeZone: null,
      role: paired.role ?? 'scan',
      event: paired.event ?? null,
      gate: paired.gate ?? null,
      code: await hashOfCode(code),
    };
    return { credentials, keys: paired.keys ?? [], quarantineToken: paired.quarantine_token ?? '' };
  }

  /** Remembers all of what the server gave, or nothing of it: a token of the quarantine alone would look like a wiped phone. */
  async keep({ credentials, keys, quarantineToken }: Paired): Promise<void> {
    const { door } = this;
    door.keys.add(keys);
    await writeTogether(door.db, [
      [door.journalFiles, quarantineFile, quarantineToken],
      [door.files, 'keys', door.keys.keys],
      [door.files, 'credentials', credentials],
    ]);
    door.credentials = credentials;
    this.session.show(credentials);
  }

  async isOwnCode(code: string): Promise<boolean> {
    return this.door.credentials?.code === (await hashOfCode(code));
  }

  /** Takes over what staff changed about the device. Names go with the right to search. */
  async follow(
    change: Partial<Pick<Credentials, 'deviceName' | 'timeZone' | 'role' | 'event' | 'gate' | 'moves' | 'locked' | 'opensAt' | 'closesAt'>>,
  ): Promise<void> {
    const { door } = this;
    const { credentials } = door;
    if (!credentials || Object.entries(change).every(([name, value]) => credentials[name as keyof Credentials] === value)) return;
    door.credentials = { ...credentials, ...change };
    this.session.show(door.credentials);
    const [sealed, isDemoted] = [await door.files.seal(door.credentials), maySearch(credentials.role) && !maySearch(door.credentials.role)];
    // Together, so that a kill in between leaves no names.
    await door.db.write('files', async (tx) => {
      await tx.objectStore('files').put(sealed, 'credentials');
      if (isDemoted) await tx.objectStore('files').delete('names');
    });
  }

  /** The secret of this installation: the same phone gets the same device again. */
  private async installation(): Promise<string> {
    const { door } = this;
    const stored = await door.journalFiles.read<string>(installationFile);
    if (stored !== undefined) return stored;
    const made = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
    await door.journalFiles.write(installationFile, made);
    return made;
  }
}

const hashOfCode = async (code: string): Promise<string> => toBase64url(await sha256(utf8(code.trim())));
