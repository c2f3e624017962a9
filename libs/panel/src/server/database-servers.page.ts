import { momentWords } from '#kernel';
import { TenantMoveJobs } from '#jobs';
import { DatabaseServersService, TenantMovesService, TenantsService } from '#tenancy';
import { currentPanelRequest, formView, textOf, type FormReport, type PanelPage } from '#panel-kit';
import { Injectable } from '@nestjs/common';
import { refusable } from '../forms/refusals.js';
import { serversWords } from './migrations.words.js';
import { sizeText } from './server-health.page.js';

@Injectable()
export class DatabaseServersPanel {
  constructor(
    readonly servers: DatabaseServersService,
    readonly moves: TenantMovesService,
    readonly jobs: TenantMoveJobs,
    readonly tenants: TenantsService,
  ) {}
}

/** The page with the database servers, the tenants on each, and the moves between them. */
export function databaseServersPage({ servers, moves, jobs, tenants }: DatabaseServersPanel): PanelPage {
  const reports = async (): Promise<FormReport[]> => {
    const { language, timeZone } = currentPanelRequest();
    const words = serversWords[language];
    const [listed, wanted, recent] = await Promise.all([servers.list(), moves.wanted(), moves.recent()]);
    const time = (at: Date): string => momentWords(at, language, timeZone, { dateStyle: 'short', timeStyle: 'short' });
    const all: FormReport[] = [
      {
        title: words.servers,
        tone: listed.some(({ tookMs }) => tookMs === null) ? 'bad' : 'good',
        facts: [],
        table: {
          title: words.servers,
          head: words.head,
          rows: listed.map(({ number, host, port, tenants: count, bytes, tookMs, takesTenants }) => [
            `${number} · ${host}:${port}`,
            String(count),
            [
              tookMs === null ? words.down : words.answered(tookMs),
              ...(bytes === null ? [] : [sizeText(bytes, language)]),
              ...(takesTenants ? [] : [words.full]),
            ].join(' · '),
          ]),
        },
      },
    ];
    if (wanted.length > 0) {
      const rows = wanted.map(({ slug, from, to, isClosed }) => [slug, `${from} → ${to}`, isClosed ? words.closed : words.waiting]);
      all.push({
        title: words.running,
        tone: 'info',
        facts: [words.reload],
        table: { title: words.running, head: words.runningHead, rows },
      });
    }
    if (recent.length > 0) {
      const rows = recent.map(({ slug, at, from, to, reason }) => [slug, `${from} → ${to}`, reason ?? words.moved, time(at)]);
      const tone = recent[0]?.reason === null ? 'good' : 'bad';
      all.push({ title: words.recent, tone, facts: [], table: { title: words.recent, head: words.recentHead, rows } });
    }
    return all;
  };
  return {
    icon: 'Database',
    component: 'ActionForm',
    side: true,
    view: async () => {
      const words = serversWords[currentPanelRequest().language];
      const options = (await servers.list()).map(({ number, host, port }) => ({
        value: String(number),
        label: `${number} · ${host}:${port}`,
      }));
      return formView({
        lead: [words.lead],
        reports: await reports(),
        facts: words.facts,
        fields: [
          { name: 'tenant', kind: 'text', label: words.tenant, help: words.tenantHelp, required: true, longest: 63 },
          { name: 'node', kind: 'select', label: words.node, options, required: true },
        ],
        submit: words.submit,
      });
    },
    act: async ({ tenant, node }) => {
      await refusable(async () => {
        const found = await tenants.bySlug(textOf(tenant).trim().toLowerCase());
        await jobs.request(found?.id ?? '', Number(textOf(node)));
      });
      return { message: 'moveBegun' };
    },
  };
}
