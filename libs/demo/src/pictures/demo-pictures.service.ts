import { Injectable } from '@nestjs/common';
import { EventsService, GalleriesService, ImagesService, type PreparedImage } from '#catalogue';
import { PlaceProfileService } from '#places';
import type { DemoTenant } from '../basics/demo-tenant.js';
import type { DemoPicture } from '../basics/demo-picture.js';
import { paint } from './demo-painter.js';

/** Adds the pictures of a demo tenant, and the settings of its pages, after its content was stored. */
@Injectable()
export class DemoPicturesService {
  constructor(
    private readonly events: EventsService,
    private readonly images: ImagesService,
    private readonly galleries: GalleriesService,
    private readonly profiles: PlaceProfileService,
  ) {}

  /** Events that have a picture keep it. @param ids of the events by name */
  async hang(
    { seed, profile, picture, logo, gallery = [], events }: DemoTenant,
    ids: ReadonlyMap<string, readonly string[]>,
  ): Promise<void> {
    const own = {
      ...(picture && { image: await this.draw(picture, seed, 960, 540) }),
      ...(logo && { logo: await this.draw(logo, seed, 240, 240) }),
    };
    await this.profiles.change({ ...profile, ...own });
    for (const [index, event] of events.entries()) {
      for (const id of ids.get(event.name) ?? []) {
        if (event.picture && (await this.events.find(id))?.imageId === null)
          await this.events.update(id, { picture: await this.draw(event.picture, seed + index + 1, 960, 540) });
        await this.show(id, event.gallery ?? [], seed + index + 100);
      }
    }
    await this.show(null, gallery, seed + 1000);
  }

  /** Fills a gallery that has no picture. @param eventId null: of the house */
  private async show(eventId: string | null, pictures: NonNullable<DemoTenant['gallery']>, seed: number): Promise<void> {
    if (pictures.length === 0 || (await this.galleries.read(eventId)).length > 0) return;
    for (const [index, [picture, alternative]] of pictures.entries()) {
      await this.galleries.add(eventId, await this.draw(picture, seed + index, 960, 640), alternative);
    }
  }

  private async draw(picture: DemoPicture, seed: number, width: number, height: number): Promise<PreparedImage> {
    const { default: sharp } = await import('sharp');
    const pixels = paint(picture, seed, width, height);
    const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer();
    return this.images.prepare(bytes, 'image');
  }
}
