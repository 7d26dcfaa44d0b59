import { expect, test } from 'vitest'
import { buildFan } from '../../../testing/builders.ts'
import { channels } from '../../../testing/channels.ts'

const scene = channels()

test('of quiet hours one end is moved alone, so that two tabs keep each other’s change', async () => {
  const person = await buildFan(scene.harness)
  const hours = async () => (await scene.settingsOf(person)).quietHours
  const changed = { status: 409, code: 'quiet_hours_changed' }
  await expect(scene.set(person, { quietFrom: 0 })).rejects.toMatchObject(changed)
  await scene.set(person, { quietHours: { from: 22 * 60, to: 7 * 60 } })
  await Promise.all([scene.set(person, { quietFrom: 23 * 60 }), scene.set(person, { quietTo: 6 * 60 })])
  expect(await hours()).toEqual({ from: 23 * 60, to: 6 * 60 })

  // Where the other tab moved the other end to the same time, or turned them off.
  await expect(scene.set(person, { quietFrom: 6 * 60 })).rejects.toMatchObject(changed)
  await scene.set(person, { quietHours: null })
  await expect(scene.set(person, { quietTo: 8 * 60 })).rejects.toMatchObject(changed)
  expect(await hours()).toBeNull()
})
