import type { Input, Route } from '../../contract/route.ts'
import { send } from './api.ts'
import type { ClientRoute } from './routes.ts'

/** Fetches the file of a `file` route. Throws an `ApiError`, also when the file is incomplete. */
export function fetchFile<R extends Route>(
  route: ClientRoute<R>,
  input: Input<R>,
): Promise<{ name: string; blob: Blob }> {
  return send(route, input, async ({ headers, body }, onMoved) => {
    const [, name = 'file'] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? []
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, to) => {
        onMoved()
        to.enqueue(bytes)
      },
    })
    return { name, blob: await new Response(body?.pipeThrough(counted) ?? null, { headers }).blob() }
  })
}
