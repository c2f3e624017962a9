import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { serverBusy, SETTINGS, SharedTurns, TenantCache, type Settings } from '#kernel';
import { sharePicture } from '#messages';
import { currentTenant } from '#tenancy';
import { PictureFiles } from './picture-files.js';
import { shareTag, type SharedEvent } from './shared-event.js';

/**
 * Pictures have a queue of their own: anybody may ask for them in every language, and holders must get their tickets meanwhile. One picture
 * at a time reaches the drawing thread, so a document or mail waits for at most one.
 */
const limits = { total: 1, each: 1, waiting: 20, waitingOfNetwork: 5, waitingInAll: 100, waitMs: 20_000, refuse: serverBusy };
/** After a picture, the thread draws documents and mails for so many times as long as the picture took, up to a maximum. */
const pause = { times: 3, mostMs: 1000 };
/** For servers without a folder that they can write. In bytes. */
const remembered = { total: 32_000_000, each: 4_000_000, ttlMs: 3_600_000 };

/** The pictures of events in link previews. Each is drawn once and then kept until others need its space. */
@Injectable()
export class SharePicturesService {
  private readonly turns = new SharedTurns(limits);
  private readonly kept = new TenantCache<Buffer>(remembered);
  private readonly files: PictureFiles;
  private restsUntil = 0;

  constructor(@Inject(SETTINGS) { dataDir }: Pick<Settings, 'dataDir'>) {
    this.files = new PictureFiles(dataDir);
  }

  /** @returns a PNG @throws Problem 503 `server.busy` when too many pictures wait */
  async get(shared: SharedEvent): Promise<Buffer> {
    const name = shareTag(shared).replaceAll('"', '');
    return (await this.find(name)) ?? this.turns.run(name, async () => (await this.find(name)) ?? this.draw(name, shared));
  }

  private async find(name: string): Promise<Buffer | undefined> {
    return this.kept.get(name) ?? this.files.read(currentTenant().id, name);
  }

  private async draw(name: string, { texts, accent }: SharedEvent): Promise<Buffer> {
    const rest = this.restsUntil - performance.now();
    if (rest > 0) await setTimeout(rest);
    const start = performance.now();
    const picture = await sharePicture(texts, accent);
    const end = performance.now();
    this.restsUntil = end + Math.min(pause.times * (end - start), pause.mostMs);
    if (!(await this.files.write(currentTenant().id, name, picture))) this.kept.set(name, picture);
    return picture;
  }
}
