/** What a picture shows in front of its sky. */
export type DemoMotif = 'hills' | 'waves' | 'lanterns' | 'rays' | 'bars';

export interface DemoPicture {
  readonly motif: DemoMotif;
  /** Colours `#rrggbb`: top and bottom of the sky, the disc, the layers from back to front. */
  readonly colours: readonly [top: string, bottom: string, disc: string, ...layers: string[]];
}
