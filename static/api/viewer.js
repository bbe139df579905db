/* 63714f681c872d3f8bf636bb340556f58411c81bc9c6c188aab1df84454ddbaa */
(()=>{var e=document.getElementById("viewer");SwaggerUIBundle({url:e.dataset.description,domNode:e,deepLinking:!0,validatorUrl:"none",requestInterceptor:r=>(r.headers["X-CSRFToken"]=e.dataset.csrf,r)});})();
