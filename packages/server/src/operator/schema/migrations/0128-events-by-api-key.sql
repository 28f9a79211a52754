-- Events show the name of the API key that was used.
alter table event_log add column api_key text;
