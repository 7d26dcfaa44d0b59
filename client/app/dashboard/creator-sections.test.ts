import { expect, test } from 'vitest'
import { PERMISSIONS, type Permission, permissionsOf } from '../../../contract/permissions.ts'
import type { Person } from '../../lib/session.tsx'
import { creatorSections, currentIn, sectionsOf } from './creator-sections.ts'

const currentAt = (pathname: string) =>
  creatorSections.flatMap((section) => {
    const current = currentIn(section, pathname)
    return current ? [`${section.label}: ${current}`] : []
  })

test('the places stand in the order of a day', () => {
  expect(creatorSections.map(({ label }) => label)).toEqual([
    'Home',
    'Library',
    'Shop',
    'Messages',
    'Earnings',
    'Promotion',
  ])
})

test('every page that a place lists is in that place, its own page first', () => {
  for (const { to, label, pages } of creatorSections) {
    expect(pages[0]?.to ?? to).toBe(to)
    for (const page of pages)
      expect(currentAt(page.to)).toEqual([`${label}: ${page.to === to ? 'page' : 'true'}`])
  }
})

test.each([
  ['/dashboard', ['Home: page']],
  ['/dashboard/', ['Home: page']],
  ['/dashboard/manage', ['Library: page']],
  ['/dashboard/uploadbulk', ['Library: true']],
  ['/dashboard/edit/media/0195', ['Library: true']],
  ['/dashboard/premiumcontentmanagement', ['Shop: page']],
  ['/dashboard/edit/bundle/0195', ['Shop: true']],
  ['/dashboard/chats', ['Messages: page']],
  ['/dashboard/chat/0195', ['Messages: true']],
  ['/customs', ['Messages: true']],
  ['/dashboard/redditposts', ['Promotion: page']],
  ['/dashboard/plan', ['Promotion: true']],
  ['/dashboard/postingslots', ['Promotion: true']],
  ['/dashboard/postearnings', ['Promotion: true']],
  ['/dashboard/edit/srlist/0195', ['Promotion: true']],
  ['/editsrinfo/Gardens', ['Promotion: true']],
  ['/dashboard/earnings', ['Earnings: page']],
  ['/dashboard/sharedrefs', ['Earnings: true']],
  ['/dashboard/edit', []],
  ['/dashboard/security', []],
])('at %s the creator is in %j and nowhere else', (pathname, sections) => {
  expect(currentAt(pathname)).toEqual(sections)
})

const labelsOf = (isCreator: boolean, permissions: readonly Permission[], hasForum = true) =>
  sectionsOf({ isCreator, permissions: [...permissions] } as Person, { hasForum }).map(({ label }) => label)

test('whoever may open pages of operators finds them last, and everybody else does not', () => {
  expect(labelsOf(true, [])).toEqual(creatorSections.map(({ label }) => label))
  expect(labelsOf(true, PERMISSIONS).at(-1)).toBe('Admin')
  expect(labelsOf(false, permissionsOf('finance'))).toEqual(['Home', 'Admin'])
  expect(labelsOf(false, permissionsOf('support'))).toEqual(['Home', 'Admin'])
  expect(labelsOf(false, [])).toEqual(['Home'])
  expect(labelsOf(true, [], false)).not.toContain('Promotion')
})

test('a page is named by what its operator may do there, and stands once', () => {
  const pagesOf = (permissions: readonly Permission[]) =>
    sectionsOf({ isCreator: false, permissions: [...permissions] } as Person, { hasForum: true })
      .at(-1)
      ?.pages.map(({ to, label }) => `${label} ${to}`)
  expect(pagesOf(permissionsOf('support'))).toEqual([
    'Unlock media /searchfans',
    'Age approvals /dashboard/regions',
  ])
  const all = pagesOf(PERMISSIONS)
  expect(all).toContain('Search fans /searchfans')
  expect(all).toContain('Restricted regions /dashboard/regions')
  expect(all?.filter((page) => /searchfans|regions/.test(page))).toHaveLength(2)
})

test.each([true, false])('every page of operators is in one place (of a creator: %s)', (isCreator) => {
  const sections = sectionsOf({ isCreator, permissions: [...PERMISSIONS] as Permission[] } as Person, {
    hasForum: true,
  })
  const pages = sections.at(-1)?.pages ?? []
  expect(pages.length).toBeGreaterThan(9)
  for (const { to } of [...pages, { to: '/dashboard/payments/0195' }])
    expect(sections.filter((section) => currentIn(section, to)).map(({ label }) => label)).toEqual(['Admin'])
  for (const path of ['/editsrinfo/Gardens', '/dashboard/edit/srlist/0195'])
    expect(sections.filter((section) => currentIn(section, path)).map(({ label }) => label)).toEqual([
      isCreator ? 'Promotion' : 'Admin',
    ])
})
