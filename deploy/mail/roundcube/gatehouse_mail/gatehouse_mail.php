<?php

/**
 * Lets Roundcube use the portal's tokens with servers that have no XOAUTH2. Roundcube keeps `Bearer <token>` as
 * the password of users who signed in through OpenID Connect. Cyrus and Postfix get the token as an ordinary
 * password and ask the portal about it.
 */
class gatehouse_mail extends rcube_plugin
{
    public function init()
    {
        $this->add_hook('storage_connect', [$this, 'storage_connect']);
        $this->add_hook('smtp_connect', [$this, 'smtp_connect']);
        $this->add_hook('managesieve_connect', [$this, 'managesieve_connect']);
    }

    public function storage_connect($options)
    {
        if (($options['auth_type'] ?? '') === 'XOAUTH2') {
            $options['auth_type'] = 'PLAIN';
        }

        return $options;
    }

    public function smtp_connect($options)
    {
        if (($options['smtp_auth_type'] ?? '') === 'XOAUTH2') {
            $options['smtp_auth_type'] = 'PLAIN';
        }

        return $options;
    }

    public function managesieve_connect($options)
    {
        if (($options['auth_type'] ?? '') === 'XOAUTH2') {
            $options['auth_type'] = 'PLAIN';
        }

        return $options;
    }
}
