import { addressOf } from '../../contract/address.ts'
import type { Input, Route } from '../../contract/route.ts'
import { ApiError, errorFrom, type Parts, parsed } from './api.ts'
import type { ClientRoute } from './routes.ts'
import { callTexts } from './texts.ts'
import { readToken } from './token.ts'

/** Fetches the file that a `file` route answers with. Throws an `ApiError`, also when it doesn't come whole. */
export async function fetchFile<R extends Route>(
  route: ClientRoute<R>,
  input: Input<R>,
): Promise<{ name: string; blob: Blob }> {
  const { body, ...parts } = input as Parts
  const token = readToken()
  const headers = new Headers()
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  try {
    const response = await fetch(addressOf(route.path, parts), {
      ...{ method: route.method, headers, credentials: 'same-origin' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw errorFrom(response, parsed(await response.text()))
    const [, name = 'file'] =
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    return { name, blob: await response.blob() }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(0, { error: callTexts.unreachable, code: 'unreachable' })
  }
}
