import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { SignupApprovalsService, SignupInvitationsService } from '#places';
import { UsersService } from '#tenancy';
import sharp from 'sharp';
import { openCommandLine, type CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { PanelClient, recordFaults } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { formFields, hiddenOf, linkIn, linkOf, mailTo, sendForm } from '../support/place-form.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let second: TestApp;
let smtp: SmtpSink;
let root: PanelClient;
let operator: string;
let terminal: CommandLine;
const meta = 'meta.localhost';
const resource = 'place-requests';

beforeAll(async () => {
  smtp = await openSmtpSink();
  const environment = { SMTP_URL: smtp.url, RATE_TENANT_FORM: 'off', TENANT_FORM: 'approval', TRUSTED_PROXIES: '127.0.0.1' };
  test = await startTestApp({ environment });
  second = await startTestApp({ environment, database: test.database });
  test.app.get(JobRunner).start();
  const made = await test.app.get(UsersService).create({ email: `${randomUUID()}@example.org`, name: 'Olga', isSuperUser: true });
  operator = made.email;
  root = new PanelClient(test, 'localhost');
  expect((await root.signIn(made.email, made.password)).status).toBe(303);
  terminal = await openCommandLine(test);
});
afterAll(async () => {
  await terminal?.close();
  await second?.close();
  await test?.close();
  await smtp?.close();
});

const tenantsNamed = async (name: string) => test.database.query('select slug from shared.tenant where name = $1', [name]);
const idIn = (link: string): string => link.split('/')[3]!;
const english = (path: string) => test.on(meta).get(path).set('Accept-Language', 'en');
const rowOf = async (id: string): Promise<Record<string, unknown>> =>
  (await test.database.query<Record<string, unknown>>('select state, sealed from shared.place_request where id = $1', [id]))[0]!;
const toOperator = (text: string) => smtp.mails.filter(({ to, parsed }) => to.includes(operator) && parsed.text!.includes(text));

/** Sends a form and confirms its address. @returns the path of the link */
async function confirmed(fields: Record<string, string>, files: Record<string, Buffer> = {}): Promise<string> {
  const link = await linkOf(test, smtp, fields, files);
  await sendForm(test, link, {}).expect(303).expect('Location', link);
  return link;
}

describe('a form that operators approve', () => {
  it('is open to everybody, creates no place when its address is confirmed, and tells the operators once', async () => {
    expect((await english('/tenant/new/').expect(200)).text).toContain('The operators of this server look at each request');
    for (const path of ['/', '/places']) expect((await test.on(meta).get(path).expect(200)).text).toContain('href="/tenant/new/"');
    expect((await english('/tenant/new/sent').expect(200)).text).toContain('The operators of this server then look at your request');
    const description = 'Look <a href="https://evil.example/">here</a> & https://evil.example/more';
    const fields = formFields({ short_description: description });
    const link = await linkOf(test, smtp, fields);
    expect((await mailTo(smtp, fields['email']!)).parsed.text).toContain('then look at the request before');
    expect((await english(link).expect(200)).text).toContain('Send this request?');
    // Four tabs in two processes.
    const answers = await Promise.all([1, 2, 3, 4].map((number) => sendForm(number % 2 ? test : second, link, {})));
    expect(answers.map(({ status, headers }) => [status, headers['location']])).toEqual(answers.map(() => [303, link]));
    const page = await english(link).expect(200);
    expect(page.text).toContain('You will get an e-mail with their decision');
    expect(page.text).not.toContain('<form');
    expect(await tenantsNamed(fields['name']!)).toEqual([]);
    await eventually(() => expect(toOperator(fields['name']!)).toHaveLength(1));
    const { text, html, subject } = toOperator(fields['name']!)[0]!.parsed;
    expect(subject).not.toContain(fields['name']);
    for (const value of [fields['email'], 'evil.example', '/admin/resources/place-requests']) expect(text).toContain(value);
    expect([...html!.matchAll(/href="([^"]*)"/g)].filter(([, href]) => href!.includes('evil'))).toEqual([]);
    await sendForm(test, link, {}).expect(303);
    const row = await test.database.query<{ days: number }>(
      `select round(extract(epoch from expires_at - now()) / 86400)::int as days from shared.place_request where id = $1`,
      [idIn(link)],
    );
    expect(row).toEqual([{ days: 30 }]);
    expect(toOperator(fields['name']!)).toHaveLength(1);
  });

  it('is created by an operator in the panel, whose name is in the record of changes', async () => {
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const fields = formFields({ city: 'Rezé' });
    const link = await confirmed(fields, { image: png });
    const id = idIn(link);
    const listed = (await root.list(resource)).records!.find((record) => record.id === id)!;
    expect(listed.params).toMatchObject({ name: fields['name'], category: 'S', email: fields['email'], city: 'Rezé' });
    expect(listed.params).not.toHaveProperty('sealed');
    const { record } = await root.look(resource, id);
    expect(record!.params).toMatchObject({ shortDescription: fields['short_description'], website: 'https://hall.example' });
    const { fields: hidden } = (await root.look(resource, id, 'approve')).view as { fields: { name: string; value: string }[] };
    const seen = Object.fromEntries(hidden.map(({ name, value }) => [name, value]));
    expect(await root.act(resource, id, 'approve', seen)).toMatchObject({ redirectUrl: `/admin/resources/${resource}` });
    const [made] = await test.database.query<{ slug: string; id: string; schema: string }>(
      'select id, slug, schema_name as schema from shared.tenant where name = $1',
      [fields['name']],
    );
    const welcome = await mailTo(smtp, fields['email']!, 2);
    expect(linkIn(welcome)).toBe(link);
    const own = new URL((await english(link).expect(303)).headers['location'] as string);
    expect(own.hostname).toBe(`${made!.slug}.localhost`);
    const administrator = new PanelClient(test, own.hostname);
    const path = own.pathname.replace('/admin', '');
    expect((await administrator.call('get', path).set('Accept-Language', 'en').expect(200)).text).toContain('Choose a password');
    await administrator.call('post', path).type('form').send({ password: 'a long enough sentence' }).expect(303);
    expect((await administrator.signIn(fields['email']!, 'a long enough sentence')).status).toBe(303);
    const changes = await test.database.query('select actor, action from shared.tenant_change where tenant_id = $1 order by action desc', [
      made!.id,
    ]);
    expect(changes).toEqual([
      { actor: fields['email'], action: 'created' },
      { actor: operator, action: 'approved' },
    ]);
    const recorded = await test.database.query(`select action from "${made!.schema}".change where object = 'tenant'`);
    expect(recorded).toContainEqual({ action: 'created' });
    const place = await test.database.query('select image_id from shared.place where tenant_id = $1', [made!.id]);
    expect(place).toEqual([{ image_id: expect.any(String) }]);
    expect((await root.list(resource)).records!.map((each) => each.id)).not.toContain(id);
  });

  it('is listed and decided in Root only', async () => {
    const link = await confirmed(formFields());
    const staff = await staffOf(test, await test.newTenant());
    await staff.call('get', `/api/resources/${resource}/actions/list`).expect(404);
    await staff
      .call('post', `/api/resources/${resource}/records/${idIn(link)}/approve`)
      .send({ confirmed: true })
      .expect(404);
    await new PanelClient(test, 'localhost').call('get', `/api/resources/${resource}/actions/list`).expect(401);
    expect((await rowOf(idIn(link)))['state']).toBe('confirmed');
  });

  it('stays when its name was taken, until the person has chosen another one', async () => {
    const fields = formFields({ slug: `taken-${randomUUID().slice(0, 8)}` });
    const link = await confirmed(fields);
    const id = idIn(link);
    await sendForm(test, link, { name: 'Something else', slug: 'something-else' }).expect(303);
    await test.newTenant({ slug: fields['slug']! });
    const seen = { name: fields['name']!, slug: fields['slug']! };
    expect(recordFaults(await root.act(resource, id, 'approve', seen))).toEqual({ request: expect.stringContaining('was taken') });
    const taken = await english(link).expect(200);
    expect(taken.text).toContain('name="slug"');
    await sendForm(test, link, {}).expect(409);
    const other = { name: fields['name']!, slug: `${fields['slug']}-2` };
    await sendForm(test, link, other).expect(303);
    expect((await english(link).expect(200)).text).not.toContain('name="slug"');
    expect([(await rowOf(id))['state'], await tenantsNamed(fields['name']!)]).toEqual(['confirmed', []]);
    expect(recordFaults(await root.act(resource, id, 'approve', seen))).toEqual({ request: expect.stringContaining('another name') });
    await root.act(resource, id, 'approve', other);
    expect(await tenantsNamed(fields['name']!)).toEqual([{ slug: other.slug }]);
  });

  it('is refused with a note, and its content is deleted', async () => {
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const fields = formFields();
    await sendForm(test, '/tenant/new/', fields, { files: { image: png } })
      .set('Accept-Language', 'fr')
      .expect(303);
    const link = linkIn(await mailTo(smtp, fields['email']!));
    await sendForm(test, link, {}).expect(303);
    const id = idIn(link);
    expect(recordFaults(await root.act(resource, id, 'refuse', { note: 'x'.repeat(1001) }))).toHaveProperty('note');
    await root.act(resource, id, 'refuse', { note: 'Only <b>halls</b> of Nantes.\nSorry.' });
    const mail = await mailTo(smtp, fields['email']!, 2);
    expect(mail.parsed.subject).toContain('Votre demande');
    expect(mail.parsed.text).toContain('Only <b>halls</b> of Nantes.\nSorry.');
    expect(mail.parsed.html).toContain('&lt;b>halls');
    await eventually(async () => expect(await rowOf(id)).toEqual({ state: 'refused', sealed: null }));
    expect(await test.database.query('select 1 from shared.place_request_picture where request_id = $1', [id])).toEqual([]);
    expect((await english(link).expect(410)).text).toContain('no longer valid');
    await sendForm(test, link, {}).expect(410);
    expect(await tenantsNamed(fields['name']!)).toEqual([]);
  });

  it('needs no approval of invited people', async () => {
    await test.app.get(SignupInvitationsService).invite('ines@example.org', 'en');
    const page = await test
      .on(meta)
      .get(linkIn(await mailTo(smtp, 'ines@example.org')))
      .expect(200);
    expect(page.text).not.toContain('The operators of this server look');
    const fields = formFields({ invitation: hiddenOf(page.text, 'invitation') });
    await sendForm(test, '/tenant/new/', fields).expect(303);
    expect(await tenantsNamed(fields['name']!)).toHaveLength(1);
  });
});

describe('decisions at the same time', () => {
  const approvals = () => [test, second].map(({ app }) => app.get(SignupApprovalsService));

  it('create one place when two operators approve', async () => {
    // Verified to fail without `for update` in `SignupRequestsService.lock` and `lockName` in `SignupCreationService.createIn`; each of
    // them serialises approvals of the same name.
    const fields = formFields();
    const link = await confirmed(fields);
    const [one, other] = approvals();
    const outcomes = await Promise.allSettled([one!, other!, one!, other!].map((each) => each.approve(idIn(link))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('already approved');
    expect(await tenantsNamed(fields['name']!)).toHaveLength(1);
    expect(await mailTo(smtp, fields['email']!, 2)).toBeDefined();
  });

  it('let either the approval or the refusal win', async () => {
    // Verified to fail without `for update` in `SignupRequestsService.lock`.
    const [one, other] = approvals();
    for (const isLate of [false, true]) {
      const fields = formFields();
      const id = idIn(await confirmed(fields));
      const approve = (): Promise<unknown> => one!.approve(id);
      const refuse = (): Promise<unknown> => other!.refuse(id);
      const outcomes = await Promise.allSettled(isLate ? [refuse(), approve()] : [approve(), refuse(), refuse()]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const { state } = await rowOf(id);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(String(outcome.reason)).toContain(state === 'created' ? 'already approved' : 'already refused');
      expect(await tenantsNamed(fields['name']!)).toHaveLength(state === 'created' ? 1 : 0);
    }
  });
});

describe('the mails to operators', () => {
  it('show 20 forms a day, and then one says that more wait', async () => {
    await test.database.query('update shared.place_request set told_at = null');
    await test.database.query(
      `insert into shared.place_request (id, state, told_at, expires_at)
       select gen_random_uuid(), 'refused', now(), now() from generate_series(1, 19)`,
    );
    const sent = [formFields(), formFields(), formFields()];
    // Verified to fail without the lock in `SignupApprovalsService.tell`: the confirmations happen at once.
    const links = await Promise.all(sent.map((fields) => linkOf(test, smtp, fields)));
    await Promise.all(links.map((link, index) => sendForm(index % 2 ? second : test, link, {}).expect(303)));
    const shown = (): number => sent.flatMap(({ name }) => toOperator(name!)).length;
    const others = (): number =>
      toOperator('no further e-mails about requests today').length + toOperator('plus d’e-mail sur les demandes').length;
    await eventually(() => expect([shown(), others()]).toEqual([1, 1]));
    const told = await test.database.query('select 1 from shared.place_request where told_at is not null');
    expect(told).toHaveLength(21);
  });

  it('are bounded by the number of forms of a network, which also counts those that wait for approval', async () => {
    const sendFrom = () => sendForm(test, '/tenant/new/', formFields()).set('X-Forwarded-For', '198.51.100.77');
    const first = formFields();
    await sendForm(test, '/tenant/new/', first).set('X-Forwarded-For', '198.51.100.77').expect(303);
    await sendForm(test, linkIn(await mailTo(smtp, first['email']!)), {}).expect(303);
    const answers = await Promise.all(Array.from({ length: 20 }, sendFrom));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

describe('the command line', () => {
  it('lists, approves and refuses requests, and says why it cannot', async () => {
    const [kept, dropped] = [formFields(), formFields()];
    const [keptId, droppedId] = [idIn(await confirmed(kept)), idIn(await confirmed(dropped))];
    const listed = JSON.parse((await terminal.run(['tenant', 'requests', '--json'])).stdout) as { id: string; name: string }[];
    expect(listed).toEqual(expect.arrayContaining([expect.objectContaining({ id: keptId, name: kept['name'], city: 'Nantes' })]));
    const made = await terminal.run(['tenant', 'approve', keptId]);
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('.localhost')]);
    expect((await terminal.run(['tenant', 'refuse', droppedId, '--note', 'Not now'])).code).toBe(0);
    expect((await mailTo(smtp, dropped['email']!, 2)).parsed.text).toContain('Not now');
    const reasons: string[] = [];
    for (const id of [keptId, 'nothing']) {
      const { code, stderr } = await terminal.run(['tenant', 'approve', id]);
      reasons.push(`${code} ${stderr}`);
    }
    expect(reasons).toEqual([expect.stringMatching(/^1 .*already approved/), expect.stringMatching(/^1 .*identifier is unknown/)]);
    const changes = await test.database.query<{ actor: string }>(
      `select c.actor from shared.tenant_change c join shared.tenant t on t.id = c.tenant_id where t.name = $1 and action = 'approved'`,
      [kept['name']],
    );
    // Also at home, where the form was approved.
    expect(new Set(changes.map(({ actor }) => actor))).toEqual(new Set(['command line']));
  });
});
