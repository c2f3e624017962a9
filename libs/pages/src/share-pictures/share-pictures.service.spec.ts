import { expect, it } from '@jest/globals';
import { runInTenant, type TenantIdentity } from '#tenancy';
import { SharePicturesService } from './share-pictures.service.js';

it('remembers pictures where it can write no files', async () => {
  const pictures = new SharePicturesService({ dataDir: '/dev/null/data' });
  const texts = { venue: 'Theatre', name: 'The long night', when: 'Tomorrow', place: 'Lyon' };
  const tenant = { id: 'a tenant' } as TenantIdentity;
  await runInTenant(tenant, async () => {
    const drawn = await pictures.get({ texts, accent: '#005533' });
    expect(drawn.toString('latin1', 1, 4)).toBe('PNG');
    expect(await pictures.get({ texts, accent: '#005533' })).toBe(drawn);
    expect(await pictures.get({ texts, accent: '#005534' })).not.toBe(drawn);
  });
});
