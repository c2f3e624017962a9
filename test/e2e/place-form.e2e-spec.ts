import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { TenantsService, UsersService } from '#tenancy';
import { formFields, hiddenOf, linkIn, linkOf, mailTo, sendForm } from '../support/place-form.js';
import { startPictureServer, type PictureServer } from '../support/places.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { fillPasswordQueue } from '../support/password-queue.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import sharp from 'sharp';

let test: TestApp;
let smtp: SmtpSink;
let pictures: PictureServer;
const meta = 'meta.localhost';

beforeAll(async () => {
  [smtp, pictures] = await Promise.all([openSmtpSink(), startPictureServer()]);
  test = await startTestApp({ environment: { OUTBOUND_ALLOW: '127.0.0.1', SMTP_URL: smtp.url, RATE_TENANT_FORM: 'off' } });
  test.app.get(JobRunner).start();
});
afterAll(async () => {
  await test?.close();
  await Promise.all([smtp?.close(), pictures?.close()]);
});

const tenantsNamed = async (name: string) => test.database.query('select slug from shared.tenant where name = $1', [name]);

describe('the form for new places', () => {
  it('creates the place when its link is confirmed, with a new administrator who chooses a password', async () => {
    const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const fields = formFields({ name: 'Le Hangar Bleu', logo_url: pictures.url, slug: 'hangar-bleu.localhost' });
    const link = await linkOf(test, smtp, fields, { image: png });
    expect(await tenantsNamed('Le Hangar Bleu')).toEqual([]);
    expect(await test.app.get(UsersService).findByEmail(fields['email']!)).toBeNull();

    // Mail scanners open links and send HEAD.
    await test.on(meta).head(link).expect(200);
    const page = await test.on(meta).get(link).expect(200);
    expect(page.text).toContain('hangar-bleu.localhost');
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
    expect(await tenantsNamed('Le Hangar Bleu')).toEqual([]);

    await sendForm(test, link, {}).expect(303).expect('Location', link);
    const tenant = (await test.app.get(TenantsService).bySlug('hangar-bleu'))!;
    expect(tenant).toMatchObject({ name: 'Le Hangar Bleu', category: 'S', language: 'fr', timeZone: 'Europe/Paris' });
    const { text } = await test.on('hangar-bleu.localhost').get('/').expect(200);
    expect(text).toContain('44200');
    const [place] = await test.database.query<Record<string, unknown>>('select * from shared.place where tenant_id = $1', [tenant.id]);
    expect(place).toMatchObject({
      short_description: fields['short_description'],
      email: fields['email'],
      website: 'https://hall.example',
      country: 'FR',
      image_id: expect.any(String),
      logo_image_id: expect.any(String),
    });
    const changes = await test.database.query('select actor, action from shared.tenant_change where tenant_id = $1', [tenant.id]);
    expect(changes).toEqual([{ actor: fields['email'], action: 'created' }]);
    const left = await test.database.query('select sealed from shared.place_request where tenant_id = $1', [tenant.id]);
    expect(left).toEqual([{ sealed: null }]);
    expect(await test.database.query('select 1 from shared.place_request_picture')).toEqual([]);

    const welcome = await mailTo(smtp, fields['email']!, 2);
    expect(welcome.parsed.subject).toBe('Le Hangar Bleu est en ligne');
    expect(linkIn(welcome)).toBe(link);
    // The link leads to the panel of the new place, which takes the password.
    const host = 'hangar-bleu.localhost';
    const opened = await test.on(meta).get(link).expect(303);
    const own = new URL(opened.headers['location'] as string);
    expect(own.hostname).toBe(host);
    const choose = (password: string, name = 'Ada Martin') =>
      test.on(host).post(own.pathname).set('Sec-Fetch-Site', 'same-origin').type('form').send({ name, password });
    const shown = await test.on(host).get(own.pathname).set('Accept-Language', 'en').expect(200);
    expect(shown.text).toContain(fields['email']);
    expect(own.pathname).toMatch(/^\/admin\/password\/[\w-]{27}$/);
    // Another place does not take it.
    const elsewhere = await test.newTenant();
    await test.on(elsewhere).get(own.pathname).expect(410);
    await test
      .on(elsewhere)
      .post(own.pathname)
      .set('Sec-Fetch-Site', 'same-origin')
      .type('form')
      .send({ password: 'a sentence' })
      .expect(410);
    for (const password of ['short', 'Qwertyuiop']) {
      const refused = await choose(password).expect(400);
      expect(refused.text).toMatch(/value="Ada Martin"[^]*aria-invalid/);
    }
    // Otherwise colleagues would read the local part of the address.
    for (const name of [' ', 'x'.repeat(201)])
      expect((await choose('a long enough sentence', name).expect(400)).text).toContain('name-fault');
    await test.on(host).post(own.pathname).set('Sec-Fetch-Site', 'cross-site').type('form').send({ password: 'x' }).expect(403);
    // Hashes beyond the limit of waiting passwords when only the sign-in is limited.
    const full = fillPasswordQueue('127.0.0.1');
    await choose('a long enough sentence').expect(503);
    await full.end();
    // Of simultaneous choices one sets the password and signs in.
    const chosen = await Promise.all([1, 2, 3].map((number) => choose(`a long enough sentence ${number}`).expect(303)));
    expect(chosen.map(({ headers }) => headers['location'])).toEqual(Array.from({ length: 3 }, () => '/admin/welcome'));
    const signedIn = chosen
      .flatMap(({ headers }) => (headers['set-cookie'] as string[] | undefined) ?? [])
      .filter((one) => one.startsWith('guichet='));
    expect(signedIn).toHaveLength(1);
    await test.on(host).get('/admin/welcome').set('Cookie', signedIn[0]!.split(';')[0]!).expect(200);
    expect((await test.app.get(UsersService).findByEmail(fields['email']!))?.name).toBe('Ada Martin');
    // The link sets no second password, and hashes none.
    await test.on(host).get(own.pathname).expect(303).expect('Location', '/admin/welcome');
    await test.on(meta).get(link).expect(200);
    const fullAgain = fillPasswordQueue('127.0.0.1');
    await choose('another long sentence').expect(303);
    await fullAgain.end();
    const again = await test
      .on(host)
      .post('/admin/login')
      .set('Sec-Fetch-Site', 'same-origin')
      .type('form')
      .send({ email: fields['email'], password: 'another long sentence' });
    expect(again.status).toBe(401);
  });

  it('takes the time zone of the country, and asks where it has several', async () => {
    const begun = await test.on(meta).get('/tenant/new/').set('Accept-Language', 'en').expect(200);
    expect(begun.text).toContain('<option value selected>That of the country</option>');
    const spain = formFields({ form: hiddenOf(begun.text, 'form'), country: 'ES', time_zone: '' });
    const asked = await sendForm(test, '/tenant/new/', spain).set('Accept-Language', 'en').expect(400);
    expect(asked.text).toContain('<a href="#time_zone">The country has several time zones: choose one.</a>');
    expect(asked.text).toMatch(
      /That of the country<\/option><option value="Africa\/Ceuta">.*?<option value="Europe\/Madrid">.*?<option value="UTC">/s,
    );
    const link = await linkOf(test, smtp, { ...spain, name: 'Sala Norte', country: 'IE' });
    await sendForm(test, link, {}).expect(303);
    expect((await test.app.get(TenantsService).bySlug('sala-norte'))!.timeZone).toBe('Europe/Dublin');
  });

  it('shows all faults and keeps the input and pictures', async () => {
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const begun = await test
      .on(meta)
      .get('/tenant/new/?name=L%27Ogre%20%3Cb%3E&email=ogre@example.org')
      .set('Accept-Language', 'en')
      .expect(200);
    expect(begun.text).toContain(`value="L'Ogre &lt;b>"`);
    expect(begun.text).toContain('value="ogre@example.org"');
    const form = hiddenOf(begun.text, 'form');
    const bad = formFields({
      form,
      category: 'M',
      short_description: ' ',
      email: 'nobody',
      phone: 'call us',
      website: 'a b',
      country: 'XX',
      slug: 'www',
      time_zone: 'Mars/Base',
      terms: '',
      logo_url: 'http://127.0.0.2:9/x.png',
    });
    const answer = await sendForm(test, '/tenant/new/', bad, { files: { image: png } })
      .set('Accept-Language', 'en')
      .expect(400);
    const faults = [...answer.text.matchAll(/<li><a href="#([a-z_]+)">/g)].map(([, name]) => name);
    expect(faults.toSorted()).toEqual([
      'category',
      'country',
      'email',
      'logo_url',
      'phone',
      'short_description',
      'slug',
      'terms',
      'time_zone',
      'website',
    ]);
    for (const name of faults) expect(answer.text).toMatch(new RegExp(` id="${name}"`));
    expect(answer.text).toContain('role="alert" tabindex="-1" autofocus');
    expect(answer.text).toContain('value="call us"');
    expect(answer.text).toContain('data:image/webp;base64,');
    const good = formFields({ form });
    const link = await linkOf(test, smtp, good);
    await sendForm(test, link, {}).expect(303);
    const [place] = await test.database.query<Record<string, unknown>>('select image_id, logo_image_id from shared.place where name = $1', [
      good['name'],
    ]);
    expect(place).toEqual({ image_id: expect.any(String), logo_image_id: null });
  });

  it('checks a sub-domain, keeps the input and suggests free ones', async () => {
    await test.newTenant({ slug: 'tin-heron', name: 'The Heron of Tin' });
    const check = (more: Record<string, string>) =>
      sendForm(test, '/tenant/new/', formFields({ action: 'check', terms: '', ...more }))
        .set('Accept-Language', 'en')
        .expect(200);
    const taken = await check({ slug: 'Tin-Heron', city: 'Nantes' });
    expect(taken.text).toContain('tin-heron.localhost is taken. Still free: tin-heron-nantes, tin-heron-2, tin-heron-3.');
    expect(taken.text).toContain('<option value="tin-heron-2">');
    expect((await check({ slug: 'admin' })).text).toContain('reserved');
    expect((await check({ slug: '-a' })).text).toContain('without a hyphen');
    const free = await check({ name: 'Café de l’Été', slug: '' });
    expect(free.text).toContain('cafe-de-l-ete.localhost is free.');
    expect(free.text).toContain('value="Café de l’Été"');
    expect((await check({ name: 'the heron, of TIN' })).text).toContain('There is already a place with this name');
  });

  it('answers the same for addresses with an account, whose owner becomes administrator', async () => {
    const email = 'known@example.org';
    const user = await test.app.get(UsersService).create({ email, password: 'the password of before' });
    const fields = formFields({ email });
    const link = await linkOf(test, smtp, fields);
    await sendForm(test, link, {}).expect(303);
    const page = await test.on(meta).get(link).set('Accept-Language', 'en').expect(200);
    expect(page.text).toContain('You already have an account');
    const [row] = await test.database.query<{ slug: string }>('select slug from shared.tenant where name = $1', [fields['name']]);
    const login = await test
      .on(`${row!.slug}.localhost`)
      .post('/admin/login')
      .set('Sec-Fetch-Site', 'same-origin')
      .type('form')
      .send({ email, password: 'the password of before' });
    expect(login.status).toBe(303);
    expect(
      await test.database.query(
        'select user_id from shared.tenant_administrator a join shared.tenant t on t.id = a.tenant_id where t.slug = $1',
        [row!.slug],
      ),
    ).toEqual([{ user_id: user.id }]);
  });

  it('counts as one request when it is sent twice, and as another one with other input', async () => {
    const begun = await test.on(meta).get('/tenant/new/').expect(200);
    const fields = formFields({ form: hiddenOf(begun.text, 'form') });
    await Promise.all([1, 2, 3].map(() => sendForm(test, '/tenant/new/', fields).expect(303)));
    const corrected = { ...fields, email: `x${fields['email']!}` };
    const link = await linkOf(test, smtp, corrected);
    const first = linkIn(await mailTo(smtp, fields['email']!));
    expect(first).not.toBe(link);
    expect((await test.on(meta).get(first).expect(200)).text).toContain(fields['email']);
    expect(smtp.mails.filter(({ to }) => to.includes(fields['email']!))).toHaveLength(1);
  });

  it('does not open with the token of the form, with cookies of others, or after its expiry', async () => {
    const begun = await test.on(meta).get('/tenant/new/').expect(200);
    const token = hiddenOf(begun.text, 'form');
    const fields = formFields({ form: token });
    const link = await linkOf(test, smtp, fields);
    const [id, mark] = token.split('.') as [string, string];
    expect(link).toContain(id);
    await test.on(meta).get(`/tenant/new/${id}/${mark}`).expect(404);
    await sendForm(test, `/tenant/new/${id}/${mark}`, {}).expect(404);
    await test.database.query(`update shared.place_request set expires_at = now() - interval '1 second' where id = $1`, [id]);
    await test.on(meta).get(link).expect(410);
    await sendForm(test, link, {}).expect(410);
    expect(await tenantsNamed(fields['name']!)).toEqual([]);
  });

  it('accepts nothing from pages of other sites, and exists only on the first Meta', async () => {
    const elsewhere = await test.newTenant();
    await test.on(elsewhere).get('/tenant/new/').expect(404);
    await sendForm(test, '/tenant/new/', formFields(), { host: elsewhere.host }).expect(404);
    await test.on(meta).post('/tenant/new/').set('Origin', 'https://evil.example').type('form').send(formFields()).expect(403);
    await test
      .on(meta)
      .post('/tenant/new/')
      .set('Origin', `http://${meta}`)
      .type('form')
      .send({ name: ['a', 'b'] })
      .expect(400);
    await test
      .on(meta)
      .post('/tenant/new')
      .set('Sec-Fetch-Site', 'same-origin')
      .send({ name: { a: 1 } })
      .expect(400);
  });
});
