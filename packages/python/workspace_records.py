"""A client of the Workspace Records Service: this one file, Python 3.9 or newer, the standard library only.

    from workspace_records import Client

    client = Client("https://records.example.com/v1", api_key)
    deal = client.create_record("deals", {"fields": {"name": "First"}})["data"]
    for deal in client.all(client.list_records, "deals", fields=["name"], filters={"amount": {"gte": 1000}}):
        print(deal["id"], deal["fields"]["name"])

Each operation of the OpenAPI document is a method, with its name in snake_case: values of the path and the body are
positional, parameters of the query string are named. It returns the JSON of the answer as a dict, or the bytes of a file.
Writes get an Idempotency-Key, and are repeated under it when their outcome is unknown, so that none is done twice.
"""

import http.client
import json
import random
import threading
import time
import unicodedata
import urllib.parse
import uuid

__all__ = ["Client", "RecordsError", "CursorExpired"]
__version__ = "1.0.0-rc.2"

# Seconds: the longest first wait, doubled with each retry up to the last.
_FIRST_WAIT = 0.25
_LONGEST_WAIT = 8.0
# 502 and 504 come from proxies; 503 from either, and a commit may have been behind it.
_WITHOUT_OUTCOME = (0, 502, 503, 504)


class RecordsError(Exception):
    """An error of the service, or no answer (status 0)."""

    def __init__(self, status, code, message, *, param=None, details=None, request_id=None, retry_after=0.0):
        super().__init__(f"{code}: {message}" + (f" ({request_id})" if request_id else ""))
        self.status = status
        self.code = code
        self.message = message
        self.param = param
        self.details = details or {}
        self.request_id = request_id
        #: Seconds, as the service asked for.
        self.retry_after = retry_after


class CursorExpired(RecordsError):
    """The cursor of a feed is no longer valid: read everything again, then follow from a new cursor."""


class Client:
    """A client with one API key. Each thread has a connection of its own, which stays open.

    timeout: seconds for one call with all its retries. retries: attempts after the first one. waiting: called with the
    seconds and the error before each wait.
    """

    def __init__(self, base_url, api_key, *, timeout=60.0, retries=5, waiting=None):
        parts = urllib.parse.urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("base_url must be like https://records.example.com/v1")
        self._place = parts
        self._host = _ascii_host(parts.hostname)
        self._prefix = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}", "Accept": "application/json"}
        self._timeout = timeout
        self._retries = retries
        self._waiting = waiting or (lambda seconds, error: None)
        self._local = threading.local()

    def request(self, method, path, *, query=None, body=None, content_type=None, if_match=None,
                idempotency_key=None, safe=None, held=0, as_bytes=False):
        """Call any path below /v1. Returns the JSON of the answer, or the bytes of a file.

        body: bytes are sent as they are, and with a content_type so is text, in UTF-8; all else is sent as JSON.

        idempotency_key: True makes one. safe: whether an attempt without an answer may be repeated; by default for GET,
        PUT and writes with a key. held: seconds for which the service may keep the answer back. as_bytes: the answer is a
        file, which may be one of JSON.
        """
        headers = dict(self._headers)
        if idempotency_key is True:
            idempotency_key = str(uuid.uuid4())
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
        if if_match:
            tag = if_match.removeprefix("W/")  # a proxy that compresses makes tags weak
            headers["If-Match"] = tag if tag == "*" or tag.startswith('"') else f'"{tag}"'
        payload = None
        if body is not None:
            payload = _payload(body, content_type)
            headers["Content-Type"] = content_type or "application/json"
        if safe is None:
            safe = bool(idempotency_key) or method in ("GET", "PUT", "DELETE")
        target = self._prefix + path + _query_string(query or {})
        content, is_json = self._repeat(method, target, payload, headers, safe, held)
        return json.loads(content) if is_json and not as_bytes else content

    def all(self, operation, *args, **parameters):
        """The items of all pages of an operation, each page requested when it is needed.

        The cursor of a question in a body goes into the body, and that of a list into the query string.
        """
        for page in self.pages(operation, *args, **parameters):
            yield from page["data"]

    def pages(self, operation, *args, **parameters):
        """The pages of an operation, as the service answers them."""
        asks = [dict(arg) if isinstance(arg, dict) else arg for arg in args]
        body = next((arg for arg in asks if isinstance(arg, dict)), None)
        place = parameters if body is None else body
        place.setdefault("limit", 100)
        while True:
            page = operation(*asks, **parameters)
            yield page
            cursor = page["pagination"]["next_cursor"]
            if cursor is None:
                return
            place["cursor"] = cursor

    def changes(self, *, cursor=None, since=None, wait=30, **parameters):
        """Pages of the change feed, for ever: (events, cursor). Store the cursor with the events, or after them.

        An event that an earlier page had is left out. With wait=0 the pages end when there are no more changes. When the
        service is away, it is asked again. Errors: CursorExpired; RecordsError when another attempt would fail as well.
        """
        parameters.setdefault("limit", 100 if parameters.get("include") == "record" else 1000)
        seen = {}
        failures = 0
        while True:
            # The first cursor comes at once: a wait that broke off would have to begin later than it did.
            is_first = cursor is None or cursor == "start"
            hold = 0 if is_first else wait
            try:
                page = self.request("GET", "/changes", held=hold, query={
                    **parameters, "cursor": cursor, "wait": hold, "since": since if is_first else None})
                failures = 0
            except RecordsError as error:
                if error.status not in _WITHOUT_OUTCOME + (429,):
                    raise
                self._sleep(failures, error)
                failures += 1
                continue
            cursor = page["pagination"]["next_cursor"]
            events = [event for event in page["data"] if event["id"] not in seen]
            for event in events:
                seen[event["id"]] = None
            while len(seen) > 10_000:
                del seen[next(iter(seen))]
            yield events, cursor
            if wait == 0 and not page["pagination"]["has_more"]:
                return

    def close(self):
        """Close the connection of this thread."""
        connection = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            connection.close()

    def _repeat(self, method, target, payload, headers, safe, held):
        end = time.monotonic() + self._timeout + held
        retry = 0
        while True:
            try:
                return self._attempt(method, target, payload, headers, held)
            except RecordsError as error:
                refused = error.status == 429 or error.code == "idempotency_key_in_use"
                may_repeat = refused or (safe and error.status in _WITHOUT_OUTCOME)
                if not may_repeat or retry >= self._retries or time.monotonic() + error.retry_after >= end:
                    raise
                self._sleep(retry, error)
                retry += 1

    def _sleep(self, retry, error):
        # Any time up to the limit, so that clients that failed together do not come back together.
        seconds = error.retry_after + random.uniform(0, min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** retry))
        self._waiting(seconds, error)
        time.sleep(seconds)

    def _attempt(self, method, target, payload, headers, held):
        connection = self._connection()
        connection.timeout = min(self._timeout, 30.0) + held
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        try:
            connection.request(method, target, payload, headers)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as cause:
            self.close()
            reason = str(cause) or type(cause).__name__
            raise RecordsError(0, "connection_failed", f"There is no answer: {reason}") from cause
        is_json = response.headers.get_content_type() == "application/json"
        if 200 <= response.status < 300:
            return content, is_json
        raise _error_of(response, content)

    def _connection(self):
        connection = getattr(self._local, "connection", None)
        if connection is None:
            kind = http.client.HTTPSConnection if self._place.scheme == "https" else http.client.HTTPConnection
            connection = kind(self._host, self._place.port)
            self._local.connection = connection
        return connection

    # Made from the routes of the service by scripts/generate.ts; changes between these marks are lost.
    # <operations>
    def get_me(self, *, include=None):
        """Identify the API key or session: GET /me"""
        return self.request("GET", "/me", query={"include": include}, safe=True)

    def list_users(self, *, limit=None, cursor=None, q=None, include_inactive=None, ids=None):
        """List users: GET /users"""
        return self.request("GET", "/users", query={"limit": limit, "cursor": cursor, "q": q, "include_inactive": include_inactive, "ids": ids}, safe=True)

    def get_user(self, user_id):
        """Retrieve a user: GET /users/{user_id}"""
        return self.request("GET", f"/users/{_segment(user_id)}", safe=True)

    def list_teams(self):
        """List teams: GET /teams"""
        return self.request("GET", "/teams", safe=True)

    def list_objects(self, *, include_unreadable=None, include=None, localized=None):
        """List object types: GET /objects"""
        return self.request("GET", "/objects", query={"include_unreadable": include_unreadable, "include": include, "localized": localized}, safe=True)

    def get_object(self, object_type, *, work_item_type_id=None, include=None, localized=None):
        """Retrieve an object definition: GET /objects/{object_type}"""
        return self.request("GET", f"/objects/{_segment(object_type)}", query={"work_item_type_id": work_item_type_id, "include": include, "localized": localized}, safe=True)

    def get_workflow(self, workflow_id, *, include=None, localized=None):
        """Retrieve a workflow: GET /workflows/{workflow_id}"""
        return self.request("GET", f"/workflows/{_segment(workflow_id)}", query={"include": include, "localized": localized}, safe=True)

    def get_open_api(self, *, workspace=None):
        """Retrieve the OpenAPI document of the workspace: GET /openapi.json"""
        return self.request("GET", "/openapi.json", query={"workspace": workspace}, safe=True)

    def list_records(self, object_type, *, limit=None, cursor=None, q=None, fields=None, sort=None, expand=None, filters=None):
        """List records: GET /objects/{object_type}/records"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records", query={"limit": limit, "cursor": cursor, "q": q, "fields": fields, "sort": sort, "expand": expand, "filters": filters}, safe=True)

    def search_records(self, object_type, body=None):
        """Search records: POST /objects/{object_type}/records/search"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/search", body=body or {}, safe=True)

    def aggregate_records(self, object_type, body):
        """Aggregate records: POST /objects/{object_type}/records/aggregate"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/aggregate", body=body, safe=True)

    def query_records(self, object_type, body=None):
        """Query records: POST /objects/{object_type}/records/query"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/query", body=body or {}, safe=True)

    def query_aggregates(self, object_type, body):
        """Query aggregates: POST /objects/{object_type}/records/aggregate/query"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/aggregate/query", body=body, safe=True)

    def query_objects(self, body):
        """Send up to 10 queries on records of any objects: POST /query"""
        return self.request("POST", "/query", body=body, safe=True)

    def aggregate_objects(self, body):
        """Send up to 12 aggregate queries on records of any objects: POST /aggregate"""
        return self.request("POST", "/aggregate", body=body, safe=True)

    def create_record(self, object_type, body, *, idempotency_key=None):
        """Create a record: POST /objects/{object_type}/records"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records", body=body, idempotency_key=idempotency_key or True)

    def get_record(self, object_type, record_id, *, fields=None):
        """Retrieve a record: GET /objects/{object_type}/records/{record_id}"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}", query={"fields": fields}, safe=True)

    def update_record(self, object_type, record_id, body, *, if_match=None, idempotency_key=None):
        """Update a record: PATCH /objects/{object_type}/records/{record_id}"""
        return self.request("PATCH", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}", body=body, if_match=if_match, idempotency_key=idempotency_key or True)

    def delete_record(self, object_type, record_id, *, if_match=None):
        """Delete a record: DELETE /objects/{object_type}/records/{record_id}"""
        return self.request("DELETE", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}", if_match=if_match, safe=True)

    def change_status(self, object_type, record_id, body, *, if_match=None, idempotency_key=None):
        """Change the status of a record: POST /objects/{object_type}/records/{record_id}/status"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/status", body=body, if_match=if_match, idempotency_key=idempotency_key or True)

    def get_record_file(self, object_type, record_id, field, file_id, *, redirect=None):
        """Download a file of a record: GET /objects/{object_type}/records/{record_id}/files/{field}/{file_id}"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/files/{_segment(field)}/{_segment(file_id)}", query={"redirect": redirect}, safe=True, as_bytes=True)

    def list_deleted_records(self, object_type, *, q=None, deleted_by=None, limit=None, cursor=None):
        """List deleted records: GET /objects/{object_type}/deleted"""
        return self.request("GET", f"/objects/{_segment(object_type)}/deleted", query={"q": q, "deleted_by": deleted_by, "limit": limit, "cursor": cursor}, safe=True)

    def restore_record(self, object_type, record_id, body=None, *, idempotency_key=None):
        """Restore a deleted record: POST /objects/{object_type}/deleted/{record_id}/restore"""
        return self.request("POST", f"/objects/{_segment(object_type)}/deleted/{_segment(record_id)}/restore", body=body or {}, idempotency_key=idempotency_key or True)

    def purge_record(self, object_type, record_id):
        """Remove a deleted record for good: DELETE /objects/{object_type}/deleted/{record_id}"""
        return self.request("DELETE", f"/objects/{_segment(object_type)}/deleted/{_segment(record_id)}", safe=True)

    def create_status_request(self, object_type, record_id, body, *, idempotency_key=None):
        """Ask for approval of a move: POST /objects/{object_type}/records/{record_id}/status_requests"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/status_requests", body=body, idempotency_key=idempotency_key or True)

    def list_status_requests(self, *, limit=None, cursor=None, state=None, approver=None, requested_by=None, object_type=None, record_id=None):
        """List status requests: GET /status_requests"""
        return self.request("GET", "/status_requests", query={"limit": limit, "cursor": cursor, "state": state, "approver": approver, "requested_by": requested_by, "object_type": object_type, "record_id": record_id}, safe=True)

    def get_status_request(self, request_id):
        """Retrieve a status request: GET /status_requests/{request_id}"""
        return self.request("GET", f"/status_requests/{_segment(request_id)}", safe=True)

    def approve_status_request(self, request_id, body=None, *, idempotency_key=None):
        """Approve a status request: POST /status_requests/{request_id}/approve"""
        return self.request("POST", f"/status_requests/{_segment(request_id)}/approve", body=body or {}, idempotency_key=idempotency_key or True)

    def reject_status_request(self, request_id, body=None, *, idempotency_key=None):
        """Reject a status request: POST /status_requests/{request_id}/reject"""
        return self.request("POST", f"/status_requests/{_segment(request_id)}/reject", body=body or {}, idempotency_key=idempotency_key or True)

    def withdraw_status_request(self, request_id, body=None, *, idempotency_key=None):
        """Withdraw a status request: POST /status_requests/{request_id}/withdraw"""
        return self.request("POST", f"/status_requests/{_segment(request_id)}/withdraw", body=body or {}, idempotency_key=idempotency_key or True)

    def batch_records(self, object_type, body, *, idempotency_key=None):
        """Apply up to 100 operations, all or none: POST /objects/{object_type}/records/batch"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/batch", body=body, idempotency_key=idempotency_key or True)

    def batch_objects(self, body, *, idempotency_key=None):
        """Apply up to 100 operations on records of any objects, all or none: POST /batch"""
        return self.request("POST", "/batch", body=body, idempotency_key=idempotency_key or True)

    def bulk_records(self, object_type, body, *, idempotency_key=None):
        """Change all records that a condition finds: POST /objects/{object_type}/records/bulk"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/bulk", body=body, idempotency_key=idempotency_key or True)

    def list_relationships(self, object_type, record_id):
        """List the relationships of a record: GET /objects/{object_type}/records/{record_id}/relationships"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/relationships", safe=True)

    def list_linked_records(self, object_type, record_id, association_id, *, limit=None, cursor=None, expand=None):
        """List linked records: GET /objects/{object_type}/records/{record_id}/relationships/{association_id}"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/relationships/{_segment(association_id)}", query={"limit": limit, "cursor": cursor, "expand": expand}, safe=True)

    def link_record(self, object_type, record_id, association_id, body, *, if_match=None, idempotency_key=None):
        """Link a record: POST /objects/{object_type}/records/{record_id}/relationships/{association_id}"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/relationships/{_segment(association_id)}", body=body, if_match=if_match, idempotency_key=idempotency_key or True)

    def unlink_record(self, object_type, record_id, association_id, target_id, *, if_match=None):
        """Unlink a record: DELETE /objects/{object_type}/records/{record_id}/relationships/{association_id}/{target_id}"""
        return self.request("DELETE", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/relationships/{_segment(association_id)}/{_segment(target_id)}", if_match=if_match, safe=True)

    def list_history(self, object_type, record_id, *, field=None, limit=None, cursor=None):
        """List the earlier values of a record: GET /objects/{object_type}/records/{record_id}/history"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/history", query={"field": field, "limit": limit, "cursor": cursor}, safe=True)

    def restore_record_values(self, object_type, record_id, body, *, if_match=None, idempotency_key=None):
        """Restore earlier values of a record: POST /objects/{object_type}/records/{record_id}/restore"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/restore", body=body, if_match=if_match, idempotency_key=idempotency_key or True)

    def merge_records(self, object_type, record_id, body, *, if_match=None, idempotency_key=None):
        """Merge records into another one: POST /objects/{object_type}/records/{record_id}/merge"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/merge", body=body, if_match=if_match, idempotency_key=idempotency_key or True)

    def unmerge_record(self, object_type, record_id, body=None, *, if_match=None, idempotency_key=None):
        """Undo the last merge into a record: POST /objects/{object_type}/records/{record_id}/unmerge"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/unmerge", body=body or {}, if_match=if_match, idempotency_key=idempotency_key or True)

    def start_duplicates(self, object_type, body=None, *, idempotency_key=None):
        """Find duplicates: POST /objects/{object_type}/duplicates"""
        return self.request("POST", f"/objects/{_segment(object_type)}/duplicates", body=body or {}, idempotency_key=idempotency_key or True)

    def list_duplicates(self, job_id, *, limit=None, cursor=None):
        """List the duplicates that a job has found: GET /jobs/{job_id}/duplicates"""
        return self.request("GET", f"/jobs/{_segment(job_id)}/duplicates", query={"limit": limit, "cursor": cursor}, safe=True)

    def get_record_bundle(self, object_type, record_id):
        """Retrieve everything about a record: GET /objects/{object_type}/records/{record_id}/bundle"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/bundle", safe=True)

    def list_comments(self, object_type, record_id, *, limit=None, cursor=None, order=None):
        """List the comments of a record: GET /objects/{object_type}/records/{record_id}/comments"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/comments", query={"limit": limit, "cursor": cursor, "order": order}, safe=True)

    def list_mentionable(self, object_type, record_id, *, q=None):
        """Find people to mention in a comment: GET /objects/{object_type}/records/{record_id}/mentionable"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/mentionable", query={"q": q}, safe=True)

    def create_comment(self, object_type, record_id, body, *, idempotency_key=None):
        """Comment on a record: POST /objects/{object_type}/records/{record_id}/comments"""
        return self.request("POST", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/comments", body=body, idempotency_key=idempotency_key or True)

    def list_notifications(self, *, limit=None, cursor=None, unread=None, include=None):
        """List your notifications: GET /notifications"""
        return self.request("GET", "/notifications", query={"limit": limit, "cursor": cursor, "unread": unread, "include": include}, safe=True)

    def read_notification(self, notification_id):
        """Mark a notification as read: POST /notifications/{notification_id}/read"""
        return self.request("POST", f"/notifications/{_segment(notification_id)}/read")

    def get_notification_settings(self):
        """Get your notification settings: GET /me/notification_settings"""
        return self.request("GET", "/me/notification_settings", safe=True)

    def update_notification_settings(self, body):
        """Change your notification settings: PATCH /me/notification_settings"""
        return self.request("PATCH", "/me/notification_settings", body=body, safe=True)

    def get_follow(self, object_type, record_id):
        """Check whether you follow a record: GET /objects/{object_type}/records/{record_id}/follow"""
        return self.request("GET", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/follow", safe=True)

    def follow_record(self, object_type, record_id):
        """Follow a record: PUT /objects/{object_type}/records/{record_id}/follow"""
        return self.request("PUT", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/follow", safe=True)

    def unfollow_record(self, object_type, record_id):
        """Stop following a record: DELETE /objects/{object_type}/records/{record_id}/follow"""
        return self.request("DELETE", f"/objects/{_segment(object_type)}/records/{_segment(record_id)}/follow", safe=True)

    def list_changes(self, *, object_type=None, type=None, cursor=None, since=None, limit=None, wait=None, include=None, fields=None):
        """List changes: GET /changes"""
        return self.request("GET", "/changes", query={"object_type": object_type, "type": type, "cursor": cursor, "since": since, "limit": limit, "wait": wait, "include": include, "fields": fields}, safe=True, held=int(wait or 0))

    def search(self, *, q=None, limit=None, expand=None):
        """Search over all object types: GET /search"""
        return self.request("GET", "/search", query={"q": q, "limit": limit, "expand": expand}, safe=True)

    def list_views(self, *, limit=None, cursor=None, object_type=None, favorite=None, kind=None):
        """List views: GET /views"""
        return self.request("GET", "/views", query={"limit": limit, "cursor": cursor, "object_type": object_type, "favorite": favorite, "kind": kind}, safe=True)

    def get_view(self, view_id):
        """Get a view: GET /views/{view_id}"""
        return self.request("GET", f"/views/{_segment(view_id)}", safe=True)

    def create_view(self, body):
        """Create a view: POST /views"""
        return self.request("POST", "/views", body=body)

    def copy_view(self, view_id, body):
        """Copy a view: POST /views/{view_id}/copy"""
        return self.request("POST", f"/views/{_segment(view_id)}/copy", body=body)

    def order_views(self, body):
        """Put the views of an object in your own order: PUT /views/order"""
        return self.request("PUT", "/views/order", body=body, safe=True)

    def update_view(self, view_id, body, *, if_match=None):
        """Change a view: PATCH /views/{view_id}"""
        return self.request("PATCH", f"/views/{_segment(view_id)}", body=body, if_match=if_match, safe=True)

    def delete_view(self, view_id):
        """Delete a view: DELETE /views/{view_id}"""
        return self.request("DELETE", f"/views/{_segment(view_id)}", safe=True)

    def create_calendar_feed(self, view_id, body=None):
        """Make a calendar feed of a view: POST /views/{view_id}/feed"""
        return self.request("POST", f"/views/{_segment(view_id)}/feed", body=body or {})

    def read_calendar_feed(self, secret):
        """Read a calendar feed: GET /calendar/{secret}.ics"""
        return self.request("GET", f"/calendar/{_segment(secret)}.ics", safe=True, as_bytes=True)

    def list_dashboards(self, *, limit=None, cursor=None):
        """List dashboards: GET /dashboards"""
        return self.request("GET", "/dashboards", query={"limit": limit, "cursor": cursor}, safe=True)

    def get_dashboard(self, dashboard_id):
        """Get a dashboard: GET /dashboards/{dashboard_id}"""
        return self.request("GET", f"/dashboards/{_segment(dashboard_id)}", safe=True)

    def create_dashboard(self, body):
        """Create a dashboard: POST /dashboards"""
        return self.request("POST", "/dashboards", body=body)

    def update_dashboard(self, dashboard_id, body, *, if_match=None):
        """Change a dashboard: PATCH /dashboards/{dashboard_id}"""
        return self.request("PATCH", f"/dashboards/{_segment(dashboard_id)}", body=body, if_match=if_match, safe=True)

    def delete_dashboard(self, dashboard_id):
        """Delete a dashboard: DELETE /dashboards/{dashboard_id}"""
        return self.request("DELETE", f"/dashboards/{_segment(dashboard_id)}", safe=True)

    def list_members(self, *, limit=None, cursor=None, q=None, kind=None, active=None, role=None, team_id=None):
        """List people and agents with their roles: GET /members"""
        return self.request("GET", "/members", query={"limit": limit, "cursor": cursor, "q": q, "kind": kind, "active": active, "role": role, "team_id": team_id}, safe=True)

    def get_member(self, user_id):
        """Retrieve a person or an agent with their roles: GET /members/{user_id}"""
        return self.request("GET", f"/members/{_segment(user_id)}", safe=True)

    def create_user(self, body):
        """Add a person or an agent: POST /users"""
        return self.request("POST", "/users", body=body)

    def update_user(self, user_id, body):
        """Change a person or an agent: PATCH /users/{user_id}"""
        return self.request("PATCH", f"/users/{_segment(user_id)}", body=body, safe=True)

    def update_teams_of_user(self, user_id, body):
        """Set the teams of a person: PUT /users/{user_id}/teams"""
        return self.request("PUT", f"/users/{_segment(user_id)}/teams", body=body, safe=True)

    def create_team(self, body):
        """Add a team: POST /teams"""
        return self.request("POST", "/teams", body=body)

    def update_team(self, team_id, body):
        """Change a team: PATCH /teams/{team_id}"""
        return self.request("PATCH", f"/teams/{_segment(team_id)}", body=body, safe=True)

    def delete_team(self, team_id):
        """Delete a team: DELETE /teams/{team_id}"""
        return self.request("DELETE", f"/teams/{_segment(team_id)}", safe=True)

    def list_roles(self):
        """List roles: GET /roles"""
        return self.request("GET", "/roles", safe=True)

    def create_role(self, body):
        """Add a role: POST /roles"""
        return self.request("POST", "/roles", body=body)

    def update_role(self, role_key, body):
        """Change a role: PATCH /roles/{role_key}"""
        return self.request("PATCH", f"/roles/{_segment(role_key)}", body=body, safe=True)

    def delete_role(self, role_key):
        """Delete a role: DELETE /roles/{role_key}"""
        return self.request("DELETE", f"/roles/{_segment(role_key)}", safe=True)

    def get_access(self, *, user_id=None, object_type=None):
        """Explain the access of a person: GET /access"""
        return self.request("GET", "/access", query={"user_id": user_id, "object_type": object_type}, safe=True)

    def start_viewing(self, body):
        """View as a person: POST /viewing"""
        return self.request("POST", "/viewing", body=body)

    def stop_viewing(self):
        """Stop viewing as a person: DELETE /viewing"""
        return self.request("DELETE", "/viewing", safe=True)

    def list_keys(self, *, limit=None, cursor=None, user_id=None, include_revoked=None):
        """List API keys: GET /keys"""
        return self.request("GET", "/keys", query={"limit": limit, "cursor": cursor, "user_id": user_id, "include_revoked": include_revoked}, safe=True)

    def create_key(self, body):
        """Create an API key: POST /keys"""
        return self.request("POST", "/keys", body=body)

    def update_key(self, key_id, body):
        """Change an API key: PATCH /keys/{key_id}"""
        return self.request("PATCH", f"/keys/{_segment(key_id)}", body=body, safe=True)

    def revoke_key(self, key_id):
        """Revoke an API key: DELETE /keys/{key_id}"""
        return self.request("DELETE", f"/keys/{_segment(key_id)}", safe=True)

    def read_authorization(self, body):
        """Read the request of a client: POST /oauth/authorizations"""
        return self.request("POST", "/oauth/authorizations", body=body)

    def create_grant(self, body):
        """Give a client access: POST /oauth/grants"""
        return self.request("POST", "/oauth/grants", body=body)

    def list_oauth_clients(self):
        """List the clients of the workspace: GET /oauth/clients"""
        return self.request("GET", "/oauth/clients", safe=True)

    def create_oauth_client(self, body):
        """Enter a client: POST /oauth/clients"""
        return self.request("POST", "/oauth/clients", body=body)

    def switch_oauth_client(self, body):
        """Switch a client off or on: PATCH /oauth/clients"""
        return self.request("PATCH", "/oauth/clients", body=body, safe=True)

    def list_webhooks(self, *, limit=None, cursor=None):
        """List webhooks: GET /webhooks"""
        return self.request("GET", "/webhooks", query={"limit": limit, "cursor": cursor}, safe=True)

    def get_webhook(self, webhook_id):
        """Get a webhook: GET /webhooks/{webhook_id}"""
        return self.request("GET", f"/webhooks/{_segment(webhook_id)}", safe=True)

    def create_webhook(self, body):
        """Create a webhook: POST /webhooks"""
        return self.request("POST", "/webhooks", body=body)

    def update_webhook(self, webhook_id, body, *, if_match=None):
        """Change, pause or activate a webhook: PATCH /webhooks/{webhook_id}"""
        return self.request("PATCH", f"/webhooks/{_segment(webhook_id)}", body=body, if_match=if_match, safe=True)

    def delete_webhook(self, webhook_id):
        """Delete a webhook: DELETE /webhooks/{webhook_id}"""
        return self.request("DELETE", f"/webhooks/{_segment(webhook_id)}", safe=True)

    def test_webhook(self, webhook_id):
        """Test a webhook: POST /webhooks/{webhook_id}/test"""
        return self.request("POST", f"/webhooks/{_segment(webhook_id)}/test")

    def rotate_webhook_secret(self, webhook_id, body=None):
        """Rotate the secret of a webhook: POST /webhooks/{webhook_id}/rotate_secret"""
        return self.request("POST", f"/webhooks/{_segment(webhook_id)}/rotate_secret", body=body or {})

    def list_webhook_deliveries(self, webhook_id, *, limit=None, cursor=None, state=None, type=None, since=None):
        """List the deliveries of a webhook: GET /webhooks/{webhook_id}/deliveries"""
        return self.request("GET", f"/webhooks/{_segment(webhook_id)}/deliveries", query={"limit": limit, "cursor": cursor, "state": state, "type": type, "since": since}, safe=True)

    def replay_webhook_delivery(self, webhook_id, delivery_id):
        """Send a delivery again: POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay"""
        return self.request("POST", f"/webhooks/{_segment(webhook_id)}/deliveries/{_segment(delivery_id)}/replay")

    def replay_webhook(self, webhook_id, body, *, idempotency_key=None):
        """Send the deliveries of a span of time again: POST /webhooks/{webhook_id}/replay"""
        return self.request("POST", f"/webhooks/{_segment(webhook_id)}/replay", body=body, idempotency_key=idempotency_key or True)

    def list_audit(self, *, user_id=None, key_id=None, object_type=None, record_id=None, subject_type=None, subject_id=None, action=None, since=None, until=None, limit=None, cursor=None):
        """List audit entries: GET /audit"""
        return self.request("GET", "/audit", query={"user_id": user_id, "key_id": key_id, "object_type": object_type, "record_id": record_id, "subject_type": subject_type, "subject_id": subject_id, "action": action, "since": since, "until": until, "limit": limit, "cursor": cursor}, safe=True)

    def list_jobs(self, *, kind=None, state=None, limit=None, cursor=None):
        """List jobs: GET /jobs"""
        return self.request("GET", "/jobs", query={"kind": kind, "state": state, "limit": limit, "cursor": cursor}, safe=True)

    def get_job(self, job_id, *, wait=None):
        """Retrieve a job: GET /jobs/{job_id}"""
        return self.request("GET", f"/jobs/{_segment(job_id)}", query={"wait": wait}, safe=True, held=int(wait or 0))

    def cancel_job(self, job_id):
        """Cancel a job: POST /jobs/{job_id}/cancel"""
        return self.request("POST", f"/jobs/{_segment(job_id)}/cancel")

    def start_erasure(self, body, *, idempotency_key=None):
        """Erase records for good: POST /erasures"""
        return self.request("POST", "/erasures", body=body, idempotency_key=idempotency_key or True)

    def start_workspace_export(self, *, idempotency_key=None):
        """Export the whole workspace: POST /workspace/export"""
        return self.request("POST", "/workspace/export", idempotency_key=idempotency_key or True)

    def send_file(self, body, *, content_type, purpose=None, name=None, object_type=None, field=None, idempotency_key=None):
        """Upload a file for a field or an import: POST /files"""
        return self.request("POST", "/files", query={"purpose": purpose, "name": name, "object_type": object_type, "field": field}, body=body, content_type=content_type, idempotency_key=idempotency_key or True)

    def start_import(self, body, *, idempotency_key=None):
        """Import files: POST /imports"""
        return self.request("POST", "/imports", body=body, idempotency_key=idempotency_key or True)

    def read_sent_file(self, body):
        """Read a file before its import: POST /imports/readings"""
        return self.request("POST", "/imports/readings", body=body)

    def get_rejects(self, job_id, *, file=None):
        """Download the rows that were not imported: GET /imports/{job_id}/rejects"""
        return self.request("GET", f"/imports/{_segment(job_id)}/rejects", query={"file": file}, safe=True, as_bytes=True)

    def start_export(self, body, *, idempotency_key=None):
        """Export records to a file: POST /exports"""
        return self.request("POST", "/exports", body=body, idempotency_key=idempotency_key or True)

    def get_export_file(self, job_id):
        """Download the file of an export: GET /exports/{job_id}/file"""
        return self.request("GET", f"/exports/{_segment(job_id)}/file", safe=True, as_bytes=True)

    def get_definition(self, *, form=None):
        """Retrieve the definition: GET /definition"""
        return self.request("GET", "/definition", query={"form": form}, safe=True)

    def plan_definition(self, body):
        """Plan another definition: POST /definition/plan"""
        return self.request("POST", "/definition/plan", body=body)

    def apply_definition(self, body, *, if_match=None):
        """Apply a plan: POST /definition/apply"""
        return self.request("POST", "/definition/apply", body=body, if_match=if_match)

    def list_definition_revisions(self, *, limit=None, cursor=None):
        """List revisions: GET /definition/revisions"""
        return self.request("GET", "/definition/revisions", query={"limit": limit, "cursor": cursor}, safe=True)

    def get_definition_revision(self, revision):
        """Retrieve a revision: GET /definition/revisions/{revision}"""
        return self.request("GET", f"/definition/revisions/{_segment(revision)}", safe=True)

    def create_session(self, body):
        """Sign in: POST /sessions"""
        return self.request("POST", "/sessions", body=body)

    def list_sessions(self, *, user_id=None):
        """List sessions: GET /sessions"""
        return self.request("GET", "/sessions", query={"user_id": user_id}, safe=True)

    def end_session(self, session_id):
        """End a session: DELETE /sessions/{session_id}"""
        return self.request("DELETE", f"/sessions/{_segment(session_id)}", safe=True)

    def set_password(self, body):
        """Set or change your password: PUT /me/password"""
        return self.request("PUT", "/me/password", body=body, safe=True)

    def create_sign_in_link(self, user_id, body=None, *, mail=None):
        """Make a one-time link to sign in with: POST /users/{user_id}/sign_in_links"""
        return self.request("POST", f"/users/{_segment(user_id)}/sign_in_links", query={"mail": mail}, body=body or {})

    def list_sign_in_links(self, user_id):
        """List the one-time links of a person: GET /users/{user_id}/sign_in_links"""
        return self.request("GET", f"/users/{_segment(user_id)}/sign_in_links", safe=True)

    def revoke_sign_in_link(self, user_id, link_id):
        """Revoke a one-time link: DELETE /users/{user_id}/sign_in_links/{link_id}"""
        return self.request("DELETE", f"/users/{_segment(user_id)}/sign_in_links/{_segment(link_id)}", safe=True)

    def begin_passkey_sign_in(self, body):
        """Begin to sign in with a passkey alone: POST /sign_in/passkey"""
        return self.request("POST", "/sign_in/passkey", body=body)

    def get_second_factor(self):
        """Show your second factors: GET /me/second_factor"""
        return self.request("GET", "/me/second_factor", safe=True)

    def begin_codes(self):
        """Begin to set up one-time codes: POST /me/second_factor/code"""
        return self.request("POST", "/me/second_factor/code")

    def confirm_codes(self, body):
        """Confirm one-time codes: PUT /me/second_factor/code"""
        return self.request("PUT", "/me/second_factor/code", body=body, safe=True)

    def remove_codes(self):
        """Remove one-time codes: DELETE /me/second_factor/code"""
        return self.request("DELETE", "/me/second_factor/code", safe=True)

    def make_recovery_codes(self):
        """Make new recovery codes: POST /me/second_factor/recovery_codes"""
        return self.request("POST", "/me/second_factor/recovery_codes")

    def begin_passkey(self):
        """Begin to add a passkey: POST /me/passkeys/options"""
        return self.request("POST", "/me/passkeys/options")

    def create_passkey(self, body):
        """Add a passkey: POST /me/passkeys"""
        return self.request("POST", "/me/passkeys", body=body)

    def delete_passkey(self, passkey_id):
        """Remove a passkey: DELETE /me/passkeys/{passkey_id}"""
        return self.request("DELETE", f"/me/passkeys/{_segment(passkey_id)}", safe=True)

    def reset_second_factor(self, user_id):
        """Reset the second factors of a person: DELETE /users/{user_id}/second_factor"""
        return self.request("DELETE", f"/users/{_segment(user_id)}/second_factor", safe=True)

    def list_sign_in_methods(self, *, workspace=None):
        """List ways to sign in: GET /sign_in_methods"""
        return self.request("GET", "/sign_in_methods", query={"workspace": workspace}, safe=True)

    def mail_sign_in_link(self, body):
        """Get a one-time link by mail: POST /sign_in_links"""
        return self.request("POST", "/sign_in_links", body=body)

    def show_unsubscribe(self, *, token=None):
        """Ask whether mails shall end: GET /mail/unsubscribe"""
        return self.request("GET", "/mail/unsubscribe", query={"token": token}, safe=True, as_bytes=True)

    def unsubscribe_from_mail(self, *, token=None):
        """End mails to a person: POST /mail/unsubscribe"""
        return self.request("POST", "/mail/unsubscribe", query={"token": token}, as_bytes=True)

    # </operations>


def _ascii_host(host):
    """The host in ASCII by IDNA 2008, as browsers and Node.js send it; the codec of Python makes another host of it."""
    labels = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", host).lower()).replace("\u3002", ".").split(".")
    for label in labels:
        if not label.isascii() and not all(c.isalnum() or c == "-" or unicodedata.category(c)[0] == "M" for c in label):
            raise ValueError("base_url: write the host in ASCII, such as xn--fa-hia.example")
    return ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in labels)


def _payload(body, content_type):
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    if isinstance(body, str) and content_type:
        return body.encode()
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def _segment(value):
    return urllib.parse.quote(str(value), safe="")


def _query_string(query):
    """filters={"amount": {"gte": 5}, "status": "won", "company_id": None} becomes filter[amount][gte]=5&…"""
    pairs = []
    for name, value in query.items():
        if name == "filters":
            for field, condition in (value or {}).items():
                for operator, operand in _operators(condition).items():
                    pairs.append((f"filter[{field}][{operator}]", _operand(operand)))
        elif value is not None:
            pairs.append((name, _text(value)))
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""


def _operators(condition):
    if condition is None:
        return {"is_null": True}
    return condition if isinstance(condition, dict) else {"eq": condition}


def _operand(value):
    """A list has commas between its values; quotation marks around one keep its own."""
    if isinstance(value, (list, tuple)):
        return ",".join(_quoted(_text(item)) for item in value)
    return _text(value)


def _quoted(text):
    return '"' + text.replace('"', '""') + '"' if "," in text or '"' in text else text


def _text(value):
    if value is None:
        raise ValueError("None is not a value here; filters={field: None} finds empty fields")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(item) for item in value)
    return str(value)


def _error_of(response, content):
    try:
        error = json.loads(content)["error"]
        code, message = error["code"], error["message"]
    except (ValueError, KeyError, TypeError):
        error, code, message = {}, "unexpected_answer", f"The answer is not one of the service: {response.status}"
    retry_after = response.headers.get("Retry-After", "")
    kind = CursorExpired if code == "cursor_expired" else RecordsError
    return kind(response.status, code, message, param=error.get("param"), details=error.get("details"),
                request_id=error.get("request_id"), retry_after=float(retry_after) if retry_after.isdigit() else 0.0)
