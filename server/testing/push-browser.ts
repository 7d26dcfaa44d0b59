import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { routes } from '../../contract/index.ts'
import type { Harness } from './harness.ts'

/** What only a browser has: its private key and the secret that it shares with the server. */
type Secrets = { keys: ECDH; secret: Buffer }

/** Reads a push message as RFC 8291 and RFC 8188 have browsers do, without the code that encrypts it here. */
export function decryptPush(body: Buffer, { keys, secret }: Secrets): Buffer {
  const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)]
  if (body.readUInt8(20) !== sender.length || body.readUInt32BE(16) < sealed.length)
    throw new Error('The message is not one record from one sender.')
  const derive = (from: Buffer, by: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', from, by, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const shared = derive(keys.computeSecret(sender), secret, info, 32)
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding is wrong.')
  return padded.subarray(0, end)
}

/** A browser with keys of its own, which reads what the push service was given for it. */
export function createPushBrowser(harness: Harness, name = `browser-${randomUUID()}`) {
  const keys = createECDH('prime256v1')
  const p256dh = keys.generateKeys().toString('base64url')
  const secret = randomBytes(16)
  const endpoint = `${harness.sandboxOrigin}/sandbox/push/send/${name}`
  return {
    endpoint,
    keys: { p256dh, auth: secret.toString('base64url') },
    /** Sends notifications of this person here. */
    subscribe(person: { token: string }) {
      const body = { endpoint, keys: { p256dh, auth: secret.toString('base64url') } }
      return harness.api.as(person).call(routes.addPush, { body })
    },
    async received() {
      await harness.runJobs()
      const answer = await fetch(`${harness.sandboxOrigin}/sandbox/push/messages?subscription=${name}`)
      const { items } = (await answer.json()) as { items: { body: string; topic: string; urgency: string }[] }
      return items.map(({ body, topic, urgency }) => {
        const text = decryptPush(Buffer.from(body, 'base64url'), { keys, secret }).toString()
        return { topic, urgency, payload: JSON.parse(text) as Record<string, string> & { renotify: boolean } }
      })
    },
  }
}
