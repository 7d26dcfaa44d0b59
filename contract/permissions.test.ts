import { expect, test } from 'vitest'
import { can, isOperator, PERMISSIONS, permissionsOf, ROLES, rolesWith } from './permissions.ts'

test('somebody without a role, and a visitor, may do nothing', () => {
  for (const permission of PERMISSIONS) {
    expect(can(null, permission)).toBe(false)
    expect(can({ role: null }, permission)).toBe(false)
  }
  expect(permissionsOf(null)).toEqual([])
  expect([isOperator(null), isOperator({ role: null })]).toEqual([false, false])
})

test('each permission is somebody’s, and roles alone are handed out by those who may do everything', () => {
  for (const permission of PERMISSIONS) expect(rolesWith(permission), permission).not.toEqual([])
  for (const role of rolesWith('people.setRole')) expect(permissionsOf(role)).toEqual(PERMISSIONS)
})

test('no two roles are the same, and every role is an operator’s', () => {
  const sets = ROLES.map((role) => [...permissionsOf(role)].sort().join())
  expect(new Set(sets).size).toBe(ROLES.length)
  for (const role of ROLES) expect(isOperator({ role })).toBe(true)
})
