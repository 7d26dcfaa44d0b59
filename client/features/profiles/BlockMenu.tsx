import { IconDotsVertical } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../../ui/core/Button.tsx'
import { lazyPart, useLatch } from '../../ui/lazy-part.tsx'
import { useMenu } from '../../ui/menu/use-menu.ts'
import type { BlockChoicesProps } from './BlockChoices.tsx'
import styles from './BlockMenu.module.css'
import { profileTexts } from './texts.ts'

const BlockChoices = lazyPart(() => import('./BlockChoices.tsx').then((module) => module.default))

/** The button of what else one can do with somebody. */
export default function BlockMenu(given: Pick<BlockChoicesProps, 'profile' | 'onSuspend'>) {
  const [opened, setOpened] = useState(false)
  const used = useLatch(opened)
  const { button, list } = useMenu(opened, setOpened)
  return (
    <>
      <Button
        {...button}
        variant="default"
        className={styles.symbol}
        aria-label={profileTexts.more(given.profile.username)}
      >
        <IconDotsVertical size={20} stroke={1.75} aria-hidden />
      </Button>
      {used && <BlockChoices {...given} {...list} opened={opened} />}
    </>
  )
}
