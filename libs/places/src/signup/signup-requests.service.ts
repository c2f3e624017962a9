import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { siteOfClient, RefusedInput, SecretBox, SETTINGS, type Language, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { problem } from '../places.problems.js';
import { checkForm, type PlaceForm } from './place-form.js';
import type { FormPicture } from './place-request-picture.entity.js';
import { PlaceRequest } from './place-request.entity.js';
import { SignupLinks } from './signup-links.js';
import { SignupPicturesService, type FormPictures, type SentPictures } from './signup-pictures.service.js';
import { SubDomainsService } from './sub-domains.service.js';

/** Jobs that write to the person of a form. */
export const signupMailJob = 'place form mail';

/** Maximum waiting forms of one network, and maximum submissions for one e-mail address within a day. */
const mostOfNetwork = 20;
const mostOfAddress = 5;
/** An arbitrary number that no other lock uses; its second key is 0 here, and 1 for mails to operators. */
export const boundLock = 7_263_011;

/** The content of a form that is kept until its tenant is created or refused. */
export interface SentForm {
  readonly form: PlaceForm;
  /** Language of mails to the person. */
  readonly language: Language;
  /** Of the operators who refused it, until it is sent; the form then has only name and address. */
  readonly note?: string;
}

/** A form whose row is locked. */
export type LockedRequest = Pick<PlaceRequest, 'id' | 'invited' | 'sealed' | 'sentAt'>;

/** A submission of the form. */
export interface FormSubmission {
  /** See `SignupLinks`. */
  readonly id: string;
  readonly form: PlaceForm;
  readonly pictures: SentPictures;
  /** Stored images to delete. */
  readonly removed: readonly FormPicture[];
  /** IP address of the client. */
  readonly client: string | undefined;
  readonly language: Language;
}

export type FormOutcome =
  | { readonly kind: 'faults'; readonly faults: readonly RefusedInput[] }
  /** A mail was sent to the address. */
  | { readonly kind: 'sent' }
  /** The address is already confirmed: the tenant can be created. */
  | { readonly kind: 'verified' }
  /** The invitation is unknown, expired or used. */
  | { readonly kind: 'over' };

/** Forms of `/tenant/new/` until they are confirmed. They belong to the first Meta, in which all of this runs. */
@Injectable()
export class SignupRequestsService {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly box: SecretBox,
    private readonly links: SignupLinks,
    private readonly pictures: SignupPicturesService,
    private readonly subDomains: SubDomainsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The id of a new form. Nothing is stored before it is submitted. */
  begin(): string {
    return randomUUID();
  }

  /**
   * Accepts a form. With faults, its images are kept for the next attempt; without, it waits for the confirmation of its address. A form
   * that is submitted twice waits once.
   * @throws Problem 429 `place.form_full`; 503 `image.busy`
   */
  async send(submission: FormSubmission): Promise<FormOutcome> {
    const { id, form: typed, removed, client } = submission;
    const { form, faults } = checkForm(typed);
    const prepared = await this.pictures.prepare(submission.pictures);
    const identity = this.subDomains.identityOf(form);
    const all = [...faults, ...prepared.faults, ...(await this.subDomains.faults(identity, form.city))];
    const network = this.links.networkMark(siteOfClient(client));
    if (all.length > 0) {
      await this.keep(id, network, prepared.pictures, removed);
      return { kind: 'faults', faults: all };
    }
    const complete = { ...form, slug: identity.slug, imageUrl: '', logoUrl: '' };
    return this.db.transaction(async (tx) => {
      const request = await this.open(tx, id, network);
      if (!request) return { kind: 'over' };
      const answer = { kind: request.invited ? 'verified' : 'sent' } as const;
      if (request.state !== 'draft' && (request.invited || this.isSame(request, complete))) return answer;
      // Submitted again with other content: the link in the first mail keeps the first content.
      const own = request.state === 'draft' ? request : await this.copy(tx, request, network);
      await this.pictures.keep(tx, own.id, prepared.pictures, removed);
      await this.await(tx, own, { form: complete, language: submission.language });
      return answer;
    });
  }

  /**
   * Stores the uploaded images of a form that is not submitted yet.
   * @returns a fault for each file that is no image
   * @throws Problem 429 `place.form_full`; 503 `tenant.busy`
   */
  async keepPictures({ id, pictures: { files }, removed, client }: FormSubmission): Promise<RefusedInput[]> {
    const { pictures, faults } = await this.pictures.prepare({ files, addresses: { image: '', logo: '' } });
    await this.keep(id, this.links.networkMark(siteOfClient(client)), pictures, removed);
    return faults;
  }

  /** The content of a waiting form. */
  read({ id, sealed }: Pick<PlaceRequest, 'id' | 'sealed'>): SentForm {
    return JSON.parse(this.box.open(sealed!, purpose(id)).toString()) as SentForm;
  }

  /** The content of a form as it is stored. */
  seal(id: string, sent: SentForm): Buffer {
    return this.box.seal(Buffer.from(JSON.stringify(sent)), purpose(id));
  }

  /**
   * Locks a form if it is in this state and has not expired. A concurrent change of its state waits here for the first one and then finds
   * nothing: each form is created, confirmed or refused once.
   */
  async lock(tx: Tx, id: string, state: 'waiting' | 'confirmed'): Promise<LockedRequest | undefined> {
    const [row] = await tx.query<LockedRequest[]>(
      `select id, invited, sealed, sent_at as "sentAt" from shared.place_request
       where id = $1 and state = $2 and expires_at > now() for update`,
      [id, state],
    );
    return row;
  }

  /** Stores a form for a person whose address is known; the person fills in the rest. */
  async invite(tx: Tx, email: string, language: Language, days: number): Promise<string> {
    const id = this.begin();
    const sealed = this.seal(id, { form: { email } as PlaceForm, language });
    await tx.query(
      `insert into shared.place_request (id, state, invited, sealed, expires_at)
       values ($1, 'draft', true, $2, now() + make_interval(days => $3))`,
      [id, sealed, days],
    );
    return id;
  }

  /** An invitation that has not expired; it is unused until its form is submitted. */
  async invitation(id: string): Promise<{ isUsed: boolean; email: string } | undefined> {
    const [row] = await this.db.shared((tx) =>
      tx.query<{ id: string; state: string; sealed: Buffer | null }[]>(
        'select id, state, sealed from shared.place_request where id = $1 and invited and expires_at > now()',
        [id],
      ),
    );
    return row && { isUsed: row.state !== 'draft', email: row.sealed ? this.read(row).form.email : '' };
  }

  private async keep(id: string, network: string, pictures: FormPictures, removed: readonly FormPicture[]): Promise<void> {
    if (Object.keys(pictures).length === 0 && removed.length === 0) return;
    await this.db.transaction(async (tx) => {
      const request = await this.open(tx, id, network);
      if (request?.state === 'draft') await this.pictures.keep(tx, id, pictures, removed);
    });
  }

  /** Sets a form to waiting for confirmation. @throws Problem 429 `place.form_full` */
  private async await(tx: Tx, { id, invited, sealed }: PlaceRequest, sent: SentForm): Promise<void> {
    const email = invited ? this.read({ id, sealed }).form.email : sent.form.email;
    const mark = this.links.markOfAddress(email);
    if (!invited) await this.refuseTooMany(tx, mark);
    await tx.query(
      `update shared.place_request set state = 'waiting', sealed = $2, email_mark = $3, sent_at = now(),
         expires_at = now() + make_interval(hours => $4) where id = $1`,
      [id, this.seal(id, { ...sent, form: { ...sent.form, email } }), mark, this.settings.tenantFormHours],
    );
    if (!invited) await this.jobs.add(tx, signupMailJob, id);
  }

  private isSame({ id, sealed }: PlaceRequest, form: PlaceForm): boolean {
    return sealed !== null && isDeepStrictEqual(this.read({ id, sealed }).form, form);
  }

  /** A new draft with the images of a submitted form. @throws Problem 429 `place.form_full` */
  private async copy(tx: Tx, request: PlaceRequest, network: string): Promise<PlaceRequest> {
    const made = await this.make(tx, this.begin(), network);
    await this.pictures.keep(tx, made.id, await this.pictures.load(tx, request.id), []);
    return made;
  }

  /**
   * Locks a form, and stores it when it is new and the limits allow it. One lock serialises this on the whole server, so that the limits
   * are exact.
   * @returns undefined when it was an invitation that has expired
   * @throws Problem 429 `place.form_full`
   */
  private async open(tx: Tx, id: string, network: string): Promise<PlaceRequest | undefined> {
    await tx.query('select pg_advisory_xact_lock($1, 0)', [boundLock]);
    const found = await tx.findOne(PlaceRequest, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (found) {
      const [row] = await tx.query<{ over: boolean }[]>('select $1::timestamptz <= now() as over', [found.expiresAt]);
      return found.invited && row?.over ? undefined : found;
    }
    return this.make(tx, id, network);
  }

  private async make(tx: Tx, id: string, network: string): Promise<PlaceRequest> {
    const made = await tx.query<unknown[]>(
      `insert into shared.place_request (id, state, network, expires_at)
       select $1, 'draft', $2, now() + make_interval(hours => $3)
       where (select count(*) from shared.place_request where ${counted}) < $4
         and (select count(*) from shared.place_request where ${counted} and network = $2) < $5 returning id`,
      [id, network, this.settings.tenantFormHours, this.settings.tenantFormWaiting, mostOfNetwork],
    );
    if (made.length === 0) throw full();
    return tx.findOneByOrFail(PlaceRequest, { id });
  }

  /** Counted in the database, under the lock of `open`. @throws Problem 429 `place.form_full` */
  private async refuseTooMany(tx: Tx, emailMark: string): Promise<void> {
    const [row] = await tx.query<{ count: number }[]>(
      `select count(*)::int as count from shared.place_request where email_mark = $1 and sent_at > (select now() - interval '1 day')`,
      [emailMark],
    );
    if ((row?.count ?? 0) >= mostOfAddress) throw full();
  }
}

const counted = `state not in ('created', 'refused') and not invited and expires_at > (select now())`;

function full(): Error {
  return problem('place.form_full', { headers: { 'Retry-After': '3600' } });
}

function purpose(id: string): string {
  return `place form ${id}`;
}
