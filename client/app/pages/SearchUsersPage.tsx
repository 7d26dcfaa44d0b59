import { SearchPeople } from '../../features/profiles/people/SearchPeople.tsx'
import { Page } from '../../ui/Page.tsx'

/** Find people by their username (core §2.1). */
export function Component() {
  return (
    <Page title="Search people" lead="Find people by their username." width="text">
      <SearchPeople />
    </Page>
  )
}
