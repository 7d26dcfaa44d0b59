import { IconPhotoHeart } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ViewableWall } from '../parts/wall/ViewableWall.tsx'
import { premiumContentQuery, premiumCreatorsQuery, type Showing } from './api.ts'
import { CardGrid, CardGridSkeleton } from './CardGrid.tsx'
import { libraryTexts as texts } from './texts.ts'
import styles from './YourContentPage.module.css'

const SHOWING: readonly Showing[] = ['images', 'videos', 'all']
/** As the server takes it (`routes.premiumContent`). */
const LONGEST = 100

/**
 * Everything that the fan bought or unlocked otherwise, filtered by kind, creator and words, all of which are in the
 * address (docs/product.md, Pages).
 */
export function Component() {
  const navigate = useNavigate()
  const [parameters, change] = useAddress()
  const showing = SHOWING.find((value) => value === parameters.get('showing')) ?? 'all'
  const creators = useQuery(premiumCreatorsQuery).data ?? []
  const creator = (parameters.get('creator') ?? '').slice(0, LONGEST)
  const usernames = creators.map(({ username }) => username)
  // The creator in the address can be chosen before the list has loaded, and when they aren't in it.
  if (creator !== '' && !usernames.includes(creator)) usernames.unshift(creator)
  const search = (parameters.get('search') ?? '').slice(0, LONGEST)
  const narrowed = search !== '' || creator !== ''
  return (
    <Page title={texts.title} lead={texts.lead}>
      <search className={styles.tools}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={LONGEST}
          value={search}
          onChange={(words) => change({ search: words })}
        />
        <SelectField
          label={texts.creator}
          value={creator}
          onChange={(username) => change({ creator: username })}
          choices={[
            { value: '', label: texts.everyCreator },
            ...usernames.map((username) => ({ value: username, label: username })),
          ]}
        />
        <div className={styles.kinds}>
          <LinkButton to={paths.discover} variant="default">
            {texts.discover}
          </LinkButton>
          <FilterButtons
            label={texts.kinds}
            choices={SHOWING.map((value) => ({ value, label: texts.showing[value] }))}
            value={showing}
            onChange={(value) => change({ showing: value === 'all' ? '' : value })}
          />
        </div>
      </search>
      <ViewableWall
        key={`${showing} ${creator} ${search}`}
        label={texts.list}
        query={premiumContentQuery({
          showing,
          ...(creator ? { creator } : {}),
          ...(search ? { search } : {}),
        })}
        onLocked={(media) => void navigate(paths.media(media._id))}
        waiting={<CardGridSkeleton />}
        empty={
          narrowed ? (
            <EmptyState
              title={texts.noResults}
              action={
                <Button variant="default" onClick={() => change({ search: '', creator: '', showing: '' })}>
                  {texts.showAll}
                </Button>
              }
            >
              {texts.noResultsHint}
            </EmptyState>
          ) : (
            <EmptyState
              Icon={IconPhotoHeart}
              title={texts.nothingOf[showing]}
              action={<LinkButton to={paths.discover}>{texts.browse}</LinkButton>}
            >
              {texts.nothingHint}
            </EmptyState>
          )
        }
      >
        {(items, open) => <CardGrid label={texts.list} items={items} open={open} eager={6} />}
      </ViewableWall>
    </Page>
  )
}
