import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Image } from '../images/image.entity.js';
import { Event } from './event.entity.js';

/** A picture of the gallery of an event, or of the venue itself. The image belongs to this row alone: both are deleted together. */
@Entity('gallery_picture')
export class GalleryPicture {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Image, { onDelete: 'CASCADE' })
  imageId!: string;

  /** null: the gallery of the venue. */
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string | null;

  /** From 0. */
  @Column('smallint')
  position!: number;

  /** What the picture shows, for people who do not see it. */
  @Column('text')
  alternative!: string;
}
