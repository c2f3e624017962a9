import { Inject, Injectable } from '@nestjs/common';
import { serverBusy, SETTINGS, SharedReading, TenantCache, TokenBuckets, type Settings } from '#kernel';
import { sharePicture } from '#messages';
import { currentTenant } from '#tenancy';
import { limits } from '../limits.js';
import { PictureFiles } from './picture-files.js';
import { shareTag, type SharedEvent } from './shared-event.js';

/**
 * The pictures of events in link previews. Each is drawn once and then kept until others need its space. One picture at a time reaches the
 * threads that draw, so a document or mail waits for at most one.
 */
@Injectable()
export class SharePicturesService {
  private readonly pictures = new SharedReading(
    { ...limits.sharePictures.turns, refuse: serverBusy },
    new TenantCache<Buffer>(limits.keptSharePictures.kept),
  );
  private readonly pace = new TokenBuckets(1);
  private readonly files: PictureFiles;

  constructor(@Inject(SETTINGS) { dataDir }: Pick<Settings, 'dataDir'>) {
    this.files = new PictureFiles(dataDir);
  }

  /** @returns a PNG @throws Problem 503 `server.busy` when too many pictures wait */
  async get(shared: SharedEvent): Promise<Buffer> {
    const name = shareTag(shared).replaceAll('"', '');
    const { id } = currentTenant();
    const known = this.pictures.kept(name) ?? (await this.files.read(id, name));
    const isOnlyHere = async (picture: Buffer): Promise<boolean> => !(await this.files.write(id, name, picture));
    return known ?? this.pictures.read(name, () => this.draw(shared), isOnlyHere);
  }

  private async draw({ texts, accent }: SharedEvent): Promise<Buffer> {
    await this.pace.turn('pictures', limits.sharePicturePace.rate);
    return sharePicture(texts, accent);
  }
}
