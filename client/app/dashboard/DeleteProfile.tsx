import { Button } from '@mantine/core'
import { useState } from 'react'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import styles from './DeleteProfile.module.css'

/** The way out (core §2.3); for now it says that it does not work by itself yet. */
export function DeleteProfile() {
  const [opened, setOpened] = useState(false)
  return (
    <div className={styles.place}>
      <Button variant="outline" color="red" size="sm" onClick={() => setOpened(true)}>
        DELETE PROFILE
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Delete your profile">
        <p>
          Deleting a profile is not available yet. Nothing was changed. Until it is,{' '}
          <TextLink to={paths.contact}>write to us</TextLink> and we delete it for you.
        </p>
      </Dialog>
    </div>
  )
}
