import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#kernel';
import { Router } from 'express';
import type { Request, Response } from 'express';

/** One file of the bundle. Its name contains a hash of its content, so that browsers may cache it without limit. */
interface Asset {
  file: string;
  type: string;
  /** Precompressed variants, best first. */
  encodings: Array<{ name: 'br' | 'gzip'; file: string }>;
}

type Manifest = Record<string, Asset>;

/** Path segment below the panel's path that serves the bundle. */
const SEGMENT = 'assets';

/** The output of `scripts/build-panel.js`: AdminJS's bundles, our components, styles and images. */
export class PanelAssets {
  private readonly byFile: Map<string, Asset>;

  private constructor(
    private readonly folder: string,
    private readonly byName: Manifest,
    private readonly root: string,
  ) {
    this.byFile = new Map(Object.values(byName).map((asset) => [asset.file, asset]));
  }

  /**
   * Reads the bundle's manifest.
   * @param root path under which the panel is mounted
   * @throws Error when the bundle was not built
   */
  static read(root: string, folder = join(projectFolder(), 'dist', 'panel')): PanelAssets {
    const list = join(folder, 'assets.json');
    if (!existsSync(list)) throw new Error(`The panel is not built (${list} is missing): run node scripts/build-panel.js`);
    const manifest: Manifest = JSON.parse(readFileSync(list, 'utf8'));
    return new PanelAssets(folder, manifest, root);
  }

  /**
   * The URL of a file by its plain name, such as `panel.css`.
   * @throws Error when the bundle has no such file
   */
  url(name: string): string {
    const asset = this.byName[name];
    if (!asset) throw new Error(`The panel's bundle has no ${name}`);
    return `${this.root}/${SEGMENT}/${asset.file}`;
  }

  /** Serves the bundle, cacheable for a year. */
  router(): Router {
    const router = Router();
    router.get(`/${SEGMENT}/:file`, (request, response) => {
      const asset = this.byFile.get(request.params.file);
      if (asset) this.send(asset, request, response);
      else response.status(404).type('text/plain').send('Not found');
    });
    return router;
  }

  private send(asset: Asset, request: Request, response: Response): void {
    const accepted = asset.encodings.find(({ name }) => request.acceptsEncodings(name) === name);
    response.set({
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
    });
    if (accepted) response.set('Content-Encoding', accepted.name);
    // With `root` instead of an absolute path: otherwise Express refuses files below a folder whose name starts with a dot.
    response.sendFile(accepted?.file ?? asset.file, { root: this.folder, cacheControl: false });
  }
}
