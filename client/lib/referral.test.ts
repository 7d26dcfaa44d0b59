import { beforeEach, describe, expect, it } from 'vitest'
import { forgetReferral, readReferral, rememberReferral } from './referral.ts'
import type { Store } from './storage.ts'

let place: Store

beforeEach(() => {
  const kept = new Map<string, string>()
  place = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
})

describe('the referral of a visit', () => {
  it('is kept over visits without one', () => {
    rememberReferral('?ref=ana1', place)
    rememberReferral('?utm=x', place)
    rememberReferral('', place)
    expect(readReferral(place)).toEqual({ referralCode: 'ana1', sharedReferralCode: null })
  })

  it('is the newest one: a later code of the other kind takes its place', () => {
    rememberReferral('?ref=ana1', place)
    rememberReferral('?rid=shared2', place)
    expect(readReferral(place)).toEqual({ referralCode: null, sharedReferralCode: 'shared2' })
    rememberReferral('?ref=bo3&rid=shared4', place)
    expect(readReferral(place)).toEqual({ referralCode: 'bo3', sharedReferralCode: 'shared4' })
  })

  it.each(['?ref=', '?ref=<script>', `?ref=${'a'.repeat(41)}`])('does not take %s', (search) => {
    rememberReferral('?ref=ana1', place)
    rememberReferral(search, place)
    expect(readReferral(place).referralCode).toBe('ana1')
  })

  it('is gone after sign-up', () => {
    rememberReferral('?ref=ana1&rid=shared2', place)
    forgetReferral(place)
    expect(readReferral(place)).toEqual({ referralCode: null, sharedReferralCode: null })
  })
})
