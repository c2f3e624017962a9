import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { JobRunner } from '#jobs';
import { SubDomainsService } from '#places';
import { formFields, linkOf, mailTo, sendForm } from '../support/place-form.js';
import { placeBody, newCreator, startPictureServer, type PictureServer } from '../support/places.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let second: TestApp;
let smtp: SmtpSink;
let pictures: PictureServer;
const meta = 'meta.localhost';

beforeAll(async () => {
  [smtp, pictures] = await Promise.all([openSmtpSink(), startPictureServer()]);
  const environment = { OUTBOUND_ALLOW: '127.0.0.1', SMTP_URL: smtp.url, RATE_TENANT_FORM: 'off' };
  test = await startTestApp({ environment });
  second = await startTestApp({ environment, database: test.database });
  test.app.get(JobRunner).start();
});
afterAll(async () => {
  await second?.close();
  await test?.close();
  await Promise.all([smtp?.close(), pictures?.close()]);
});

const tenantsNamed = async (name: string) => test.database.query('select slug from shared.tenant where name = $1', [name]);

describe('the form for new places', () => {
  it('creates one place when a link is confirmed many times at once, in two processes', async () => {
    // Two tabs with different names, which the lock on the name does not serialise. Verified to fail without `for update` in
    // `SignupRequestsService.lock`.
    const fields = formFields();
    const link = await linkOf(test, smtp, fields);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        sendForm(
          index % 2 ? test : second,
          link,
          index < 4 ? {} : { name: `Tab ${index} ${fields['name']}`, slug: `tab-${index}-${Date.now()}` },
        ),
      ),
    );
    expect(answers.map(({ status, headers }) => [status, headers['location']])).toEqual(answers.map(() => [303, link]));
    const made = await test.database.query(
      'select 1 from shared.tenant_administrator a join shared.user_account u on u.id = a.user_id where u.email = $1',
      [fields['email']],
    );
    expect(made).toHaveLength(1);
    await mailTo(smtp, fields['email']!, 2);
  });

  it('answers with the new place when it is created while a second call looks for faults', async () => {
    // Verified to fail (409) when `status` does not read the form again after it found the sub-domain taken.
    const link = await linkOf(test, smtp, formFields());
    const subDomains = second.app.get(SubDomainsService);
    const faults = subDomains.faults.bind(subDomains);
    const slow = jest.spyOn(subDomains, 'faults').mockImplementationOnce(async (...form) => {
      await sendForm(test, link, {}).expect(303);
      return faults(...form);
    });
    const answer = await sendForm(second, link, {});
    expect([answer.status, answer.headers['location'], slow.mock.calls.length]).toEqual([303, link, 1]);
  });

  it('lets one of two forms with the same sub-domain win; the other one chooses another', async () => {
    // Verified to fail (400) when a sub-domain refused by the database is not answered with the page.
    const one = formFields({ slug: 'quai-nord' });
    const other = formFields({ slug: 'quai-nord' });
    const same = formFields({ name: one['name']!.toUpperCase(), slug: 'quai-nord-bis' });
    const links = [await linkOf(test, smtp, one), await linkOf(test, smtp, other), await linkOf(test, smtp, same)];
    const answers = await Promise.all(
      links.map((link, index) => sendForm(index % 2 ? second : test, link, {}).set('Accept-Language', 'en')),
    );
    expect(answers[1]!.status === 303).not.toBe(answers[0]!.status === 303);
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 303) continue;
      expect(answer.status).toBe(409);
      const renamed = { name: `Renamed ${index} ${one['name']}`, slug: `quai-nord-${index + 5}` };
      await sendForm(test, links[index]!, renamed).expect(303);
      expect(await tenantsNamed(renamed.name)).toEqual([{ slug: renamed.slug }]);
    }
  });

  it('lets one of several forms with the same name win', async () => {
    // Verified to fail without `lockName` in `SignupCreationService.createIn`.
    const twins = [1, 2, 3, 4, 5, 6].map((number) => formFields({ name: 'Twin Hall', slug: `twin-hall-${number}` }));
    const links: string[] = [];
    for (const fields of twins) links.push(await linkOf(test, smtp, fields));
    const answers = await Promise.all(links.map((link, index) => sendForm(index % 2 ? second : test, link, {})));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409, 409, 409]);
    expect(await tenantsNamed('Twin Hall')).toHaveLength(1);
  });

  it('refuses a name that the API has used in the meantime', async () => {
    const creator = await newCreator(test);
    const fields = formFields();
    const link = await linkOf(test, smtp, fields);
    await test
      .on(meta)
      .post('/api/place/')
      .set('Authorization', creator.authorization)
      .send(placeBody(pictures.url, { organisation: fields['name'] }))
      .expect(201);
    const answer = await sendForm(test, link, {}).set('Accept-Language', 'en').expect(409);
    expect(answer.text).toContain('There is already a place with this name');
  });
});
